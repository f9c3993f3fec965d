/** Tests how many slots of a worker a silent host can occupy. */
import { assert, describe, it } from "@effect/vitest"
import { instant, upTo, workspaceId } from "@verbatim/testkit/samples"
import { laneKey } from "#src/domain/job/Lane"
import { make, silentMax } from "#src/worker/Slots"

const webhook = (owner: number, host: string) => ({
  kind: "Deliver" as const,
  dueAt: instant,
  workspaceId: workspaceId(owner),
  lane: `https://${host}.example.com`
})

const concurrency = { Fetch: 2, Transcribe: 1, Summarize: 1, Deliver: 8, Notify: 0 }

describe("A worker's slots", () => {
  it("leave a silent host half of its slots, and then only one, until it responds", () => {
    const slots = make(concurrency, 4)
    const silent = webhook(1, "silent")
    const free = () => 4 - (slots.capacity().lanes.taken[laneKey(silent)] ?? 0)
    assert.strictEqual(free(), 4)
    const after = (["TimedOut", "TimedOut", "TimedOut", "Answered"] as const).map((reply) => {
      slots.note(silent, reply)
      return free()
    })
    assert.deepStrictEqual(after, [2, 1, 1, 4])
    slots.take(silent)
    slots.note(silent, "TimedOut")
    assert.strictEqual(free(), 1)
    slots.note(webhook(2, "silent"), "TimedOut")
    assert.strictEqual(free(), 1)
  })

  it("leave a silent host one slot even if it had only one", () => {
    const slots = make(concurrency, 1)
    for (const _ of upTo(3)) slots.note(webhook(1, "silent"), "TimedOut")
    assert.deepStrictEqual(slots.capacity().lanes.taken, { [laneKey(webhook(1, "silent"))]: 0 })
  })

  it("remember only the latest silent hosts, up to a limit", () => {
    const slots = make(concurrency, 4)
    for (const number of upTo(silentMax + 5)) slots.note(webhook(1, `${number}`), "TimedOut")
    const { taken } = slots.capacity().lanes
    assert.lengthOf(Object.keys(taken), silentMax)
    assert.notProperty(taken, laneKey(webhook(1, "5")))
    assert.property(taken, laneKey(webhook(1, "6")))
  })
})
