/** A delivery's first attempt fixes the content that all its attempts send. */
import { assert, describe, it } from "@effect/vitest"
import { instant, makePendingJob } from "@verbatim/testkit/samples"
import { Result } from "effect"
import { Event, type Frozen, transition } from "#src/domain/delivery/Delivery"

const begun = (attempts: number, frozen: Frozen | null) => {
  const { delivery } = makePendingJob(1, { kind: "Deliver", dueAt: instant })
  const waiting = delivery?._tag === "Waiting" ? delivery : assert.fail()
  const event = Event.cases.AttemptStarted.make({ at: instant, frozen: { balanceMillis: 2 } })
  const next = Result.getOrThrow(transition({ ...waiting, attempts, frozen }, event))
  return next._tag === "Sending" ? next.frozen.balanceMillis : assert.fail()
}

describe("A webhook's frozen content", () => {
  it("is set by the first attempt", () => assert.strictEqual(begun(0, null), 2))

  it("is not changed by later attempts, whatever their events contain", () => {
    assert.strictEqual(begun(1, { balanceMillis: 1 }), 1)
    assert.strictEqual(begun(0, { balanceMillis: 1, digest: "00" }), 1)
  })

  it("is replaced if it has no digest and no request was sent", () =>
    assert.strictEqual(begun(0, { balanceMillis: 1 }), 2))
})
