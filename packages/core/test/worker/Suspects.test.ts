/**
 * Tests that work which must run alone eventually runs, and delays other work for a limited time.
 */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines } from "@verbatim/testkit/fakes"
import { upTo } from "@verbatim/testkit/samples"
import { Effect, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { JobEvent } from "#src/domain/job/JobEvent"
import type { JobView } from "#src/domain/job/JobView"
import { JobStore } from "#src/ports/JobStore"
import { Transcriber } from "#src/ports/Transcriber"
import * as SuspectBackoff from "#src/worker/Isolation"
import { look, pass, script, submit, withCaller } from "../world/caller.ts"
import { supervisor } from "../world/processes.ts"
import { worker } from "../world/world.ts"

type Script = typeof calmScript.transcribe

/** Each recording's prompt selects the engine's behaviour. */
const recognising = Effect.fnUntraced(function* (scripts: Readonly<Record<string, Script>>) {
  const engines = yield* FakeEngines
  yield* engines.script({
    transcribe: Effect.gen(function* () {
      const prompt = (yield* engines.recognitions).at(-1)?.initialPrompt ?? ""
      return yield* scripts[prompt] ?? calmScript.transcribe
    })
  })
})

const after = (span: `${number} ${"minutes" | "seconds"}`) =>
  Effect.delay(calmScript.transcribe, span)

const statusOf = Effect.fnUntraced(function* (...given: Parameters<typeof look>) {
  return (yield* look(...given)).transcription_status
})

describe("Work that runs alone", () => {
  it.effect("delays other work for at most ten minutes, and suspects run one at a time", () =>
    withCaller(function* (principal) {
      const { deaths, kill, start } = yield* supervisor
      yield* recognising({ long: Effect.never, short: Effect.never, poison: kill })
      yield* start
      const long = yield* submit(principal, { initial_prompt: "long" })
      yield* pass(1)
      const poison = yield* submit(principal, { initial_prompt: "poison" })
      yield* pass(2)
      // There are two suspects: one takes a long time, and the other is harmless.
      yield* recognising({ long: after("25 minutes"), poison: after("2 minutes") })
      yield* pass(60)
      assert.strictEqual(deaths(), 1)
      const other = yield* submit(principal, {})
      yield* pass(500)
      assert.strictEqual(yield* statusOf(principal, other), "IN_QUEUE")
      yield* pass(90)
      assert.strictEqual(yield* statusOf(principal, other), "COMPLETED")
      assert.strictEqual(yield* statusOf(principal, long), "IN_PROGRESS")
      assert.strictEqual(yield* statusOf(principal, poison), "IN_QUEUE")
      yield* pass(900)
      assert.strictEqual(yield* statusOf(principal, long), "COMPLETED")
      assert.strictEqual(yield* statusOf(principal, poison), "IN_PROGRESS")
      yield* pass(120)
      assert.strictEqual(yield* statusOf(principal, poison), "COMPLETED")
    })
  )

  it.effect("begins after all running work has ended, however long that takes", () =>
    withCaller(function* (principal) {
      const { kill, start } = yield* supervisor
      yield* recognising({ poison: kill })
      yield* start
      const suspect = yield* submit(principal, { initial_prompt: "poison" })
      yield* pass(25)
      yield* recognising({ long: after("20 minutes") })
      // The second process starts before the first one's leases lapse.
      const long = yield* submit(principal, { initial_prompt: "long" })
      yield* pass(30)
      const other = yield* submit(principal, {})
      yield* pass(1_100)
      for (const waiting of [suspect, other]) {
        assert.strictEqual(yield* statusOf(principal, waiting), "IN_QUEUE")
      }
      yield* pass(100)
      for (const ended of [long, suspect, other]) {
        assert.strictEqual(yield* statusOf(principal, ended), "COMPLETED")
      }
    })
  )

  it.effect("does not wait for work that needs an unavailable engine", () =>
    withCaller(function* (principal) {
      const engines = yield* FakeEngines
      const store = yield* JobStore
      const isLoss = ({ event }: JobEvent) => event._tag === "AttemptLost"
      const coming = { _tag: "Preparing", sentence: "It is coming." } as const
      // When the recording becomes a suspect, its engine becomes unavailable.
      const watched = JobStore.of({
        ...store,
        commit: (commit) =>
          Effect.andThen(
            commit.events.some(isLoss) ? engines.script({ readiness: coming }) : Effect.void,
            store.commit(commit)
          )
      })
      const { deaths, kill, start } = yield* Effect.provideService(supervisor, JobStore, watched)
      yield* recognising({ long: Effect.never })
      yield* engines.script({ summarize: kill })
      yield* start
      const first = yield* submit(principal, { initial_prompt: "long" })
      const second = yield* submit(principal, { summary: "brief" })
      yield* pass(3)
      assert.strictEqual(deaths(), 1)
      yield* engines.script({ summarize: calmScript.summarize })
      yield* pass(60)
      assert.strictEqual((yield* look(principal, second)).summary_status, "COMPLETED")
      assert.strictEqual(yield* statusOf(principal, first), "IN_QUEUE")
      yield* recognising({})
      yield* engines.script({ readiness: calmScript.readiness })
      yield* pass(40)
      assert.strictEqual(yield* statusOf(principal, first), "COMPLETED")
    })
  )

  it.effect("runs for ten seconds without a break, and then lets other work run", () =>
    withCaller(function* (principal) {
      const { kill, start } = yield* supervisor
      yield* recognising({ suspect: Effect.never })
      yield* start
      const suspects: Array<JobView> = []
      for (const _ of upTo(10)) {
        suspects.push(yield* submit(principal, { initial_prompt: "suspect" }))
        suspects.push(yield* submit(principal, { initial_prompt: "suspect" }))
        yield* pass(1)
        yield* Effect.forkChild(kill)
      }
      let running = 0
      let ordinaryEnded = 0
      const isAlone: Array<boolean> = []
      /** The number of ordinary jobs that had ended when each suspect began. */
      const endedBefore: Array<number> = []
      const counted = (seconds: number, onEnd: () => void) =>
        Effect.suspend(() => {
          running += 1
          return Effect.delay(calmScript.transcribe, `${seconds} seconds`)
        }).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              running -= 1
              onEnd()
            })
          )
        )
      yield* recognising({
        "": counted(4, () => {
          ordinaryEnded += 1
        }),
        suspect: Effect.suspend(() => {
          isAlone.push(running === 0)
          endedBefore.push(ordinaryEnded)
          return counted(1, () => undefined)
        })
      })
      yield* Effect.forEach(upTo(60), () => submit(principal, {}))
      // The dead process's leases lapse during these seconds.
      yield* pass(31)
      yield* pass(90)
      for (const suspect of suspects) {
        assert.strictEqual(yield* statusOf(principal, suspect), "COMPLETED")
      }
      assert.deepStrictEqual(isAlone, Array(20).fill(true))
      const sittings = Object.values(Object.groupBy(endedBefore, String))
      const longest = Math.max(...sittings.map((sitting) => sitting?.length ?? 0))
      // Each suspect runs for one second, so ten suspects run in ten seconds.
      assert.strictEqual(longest, 10)
    })
  )
})

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
