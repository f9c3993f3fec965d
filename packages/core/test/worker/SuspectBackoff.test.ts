/** A process that cannot run suspects leaves them to a process that can. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { upTo } from "@verbatim/testkit/samples"
import { Effect, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Transcriber } from "#src/ports/Transcriber"
import * as SuspectBackoff from "#src/worker/Isolation"
import { look, pass, script, submit, withCaller } from "../world/caller.ts"
import { supervisor } from "../world/processes.ts"
import { worker } from "../world/world.ts"

const second = 1_000_000_000n

describe("A process that cannot run suspects", () => {
  it("claims them for ten seconds, pauses for a minute, and later for up to ten minutes", () => {
    let now = 0n
    let known: SuspectBackoff.SuspectBackoff | undefined
    const pauses: Array<bigint> = []
    for (const _ of upTo(6)) {
      assert.isTrue(SuspectBackoff.mayClaimSuspect(known, now))
      const begun = now
      known = SuspectBackoff.afterMiss(known, { now, task: "Transcribe" })
      now += 9n * second
      assert.isTrue(SuspectBackoff.mayClaimSuspect(known, now))
      // Suspects that are found during the pause do not lengthen it.
      known = SuspectBackoff.afterMiss(known, { now, task: "Fetch" })
      while (!SuspectBackoff.mayClaimSuspect(known, now + second)) now += second
      now += second
      while (!SuspectBackoff.mayClaimSuspect(known, now)) now += second
      pauses.push((now - begun) / second)
    }
    assert.deepStrictEqual(pauses, [60n, 120n, 240n, 480n, 600n, 600n])
  })
})

/** A process with an engine that never becomes ready. */
const engineless = worker.pipe(
  Layer.provide(
    Layer.succeed(Transcriber, {
      readiness: Effect.succeed({ _tag: "Preparing", sentence: "It is coming." } as const),
      transcribe: () => Effect.never
    })
  )
)

/** Delays between the first claims of the two processes. */
const delays = ["0 millis", "130 millis", "990 millis"] as const

describe("A suspect job that only one of two processes can run", () => {
  for (const isBusy of [false, true]) {
    it.effect.each(delays)(
      `ends in two minutes while the other process is ${isBusy ? "busy" : "idle"} (delay: %s)`,
      (delay) =>
        withCaller(function* (principal) {
          const { kill, start } = yield* supervisor
          yield* script({ transcribe: kill })
          yield* start
          const suspect = yield* submit(principal, {})
          yield* pass(2)
          const transcribe = Effect.delay(calmScript.transcribe, "4 seconds")
          yield* script({ transcribe })
          yield* TestClock.adjust(delay)
          yield* Layer.buildWithScope(Layer.fresh(engineless), yield* Scope.make())
          for (const _ of upTo(30)) {
            if (isBusy) yield* Effect.all([submit(principal, {}), submit(principal, {})])
            yield* pass(4)
          }
          assert.strictEqual((yield* look(principal, suspect)).transcription_status, "COMPLETED")
        })
    )
  }
})
