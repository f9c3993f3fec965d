import { assert, describe, it } from "@effect/vitest"
import { FallbackTranscriber } from "@verbatim/adapters/engines"
import { isTransient } from "@verbatim/core/attempt"
import { Readiness, Transcriber, TranscriberError } from "@verbatim/core/ports"
import { Duration, Effect, Fiber, Logger, Ref, Schema } from "effect"
import { TestClock } from "effect/testing"
import { recognition } from "./Rows.ts"

/**
 * The script of an engine: whether it is ready, and why it fails. Without a reason, it succeeds.
 */
const Script = Schema.Struct({
  readiness: Readiness,
  reason: Schema.NullOr(TranscriberError.fields.reason)
})
type Script = typeof Script.Type

/** Returns engines that record the order in which they are called. */
const engines = (scripts: ReadonlyArray<Script>) => {
  const called: Array<number> = []
  const all = scripts.map(({ readiness, reason }, index) =>
    Transcriber.of({
      readiness: Effect.succeed(readiness),
      transcribe: () =>
        Effect.suspend(() => {
          called.push(index)
          return reason === null
            ? Effect.succeed({ engine: `${index}`, language: "en" as const, segments: [] })
            : Effect.fail(new TranscriberError({ reason }))
        })
    })
  )
  return { called, all }
}

const ready = Readiness.cases.Ready.make({ engine: "x" })
const script = (reason: Script["reason"], readiness: Readiness = ready): Script => ({
  readiness,
  reason
})

const run = (scripts: readonly [Script, ...ReadonlyArray<Script>]) => {
  const { all, called } = engines(scripts)
  const [first, ...others] = all
  if (first === undefined) throw new Error("no engine")
  const { readiness, transcribe } = FallbackTranscriber.make([first, ...others])
  return Effect.gen(function* () {
    const outcome = yield* Effect.result(transcribe(recognition))
    return { outcome, called, readiness: yield* readiness }
  })
}

const settled = Schema.NonEmptyArray(Script).check(
  Schema.makeFilter((scripts) => scripts.every(({ readiness }) => readiness._tag !== "Preparing"))
)

describe("Engines in order of preference", () => {
  it.effect("log a change of engine only if the new engine accepts the work", () =>
    Effect.gen(function* () {
      const barred = script({ _tag: "EngineUnavailable", detail: "401 Invalid API key" })
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const count = (scripts: readonly [Script, ...ReadonlyArray<Script>]) =>
        Effect.map(
          Effect.provide(run(scripts), Logger.layer([logger])),
          () => lines.splice(0).length
        )
      assert.strictEqual(yield* count([barred]), 0)
      assert.strictEqual(yield* count([barred, script(null)]), 1)
      assert.strictEqual(yield* count([barred, barred]), 1)
    })
  )

  it.effect.prop(
    "are tried in turn until one that is ready accepts the work",
    [settled],
    ([scripts]) =>
      Effect.gen(function* () {
        const isReady = ({ readiness }: Script) => readiness._tag === "Ready"
        const takes = ({ reason }: Script) =>
          reason === null || !FallbackTranscriber.canPassOn(reason)
        const taker = scripts.findIndex((each) => isReady(each) && takes(each))
        const { called, outcome, readiness } = yield* run(scripts)
        assert.deepStrictEqual(
          called,
          scripts.flatMap((each, index) =>
            isReady(each) && (taker === -1 || index <= taker) ? [index] : []
          )
        )
        const reason = scripts[taker]?.reason
        if (outcome._tag === "Success") assert.strictEqual(outcome.success.engine, `${taker}`)
        else if (reason) assert.deepStrictEqual(outcome.failure.reason, reason)
        // Work that every engine refuses is retried if at least one of the reasons is transient.
        else {
          const mayPass = scripts.some(
            (each) => !isReady(each) || (each.reason !== null && isTransient(each.reason))
          )
          assert.strictEqual(isTransient(outcome.failure.reason), mayPass)
        }
        assert.strictEqual(readiness._tag === "Ready", scripts.some(isReady))
      })
  )

  it.effect("wait for one that is being installed if no other accepts the work", () =>
    Effect.gen(function* () {
      const state = yield* Ref.make<Readiness>(Readiness.cases.Preparing.make({ sentence: "soon" }))
      const { all } = engines([
        script(null),
        script({ _tag: "LanguageUnsupported", language: "de" })
      ])
      const [late, other] = all
      if (late === undefined || other === undefined) return assert.fail("two engines")
      const both = FallbackTranscriber.make([{ ...late, readiness: Ref.get(state) }, other])
      assert.strictEqual((yield* both.readiness)._tag, "Ready")
      const working = yield* Effect.forkChild(both.transcribe(recognition))
      yield* TestClock.adjust(Duration.seconds(30))
      assert.isUndefined(working.pollUnsafe())
      yield* Ref.set(state, ready)
      yield* TestClock.adjust(Duration.seconds(2))
      assert.strictEqual((yield* Fiber.join(working)).engine, "0")
    })
  )

  it.effect("report every reason if none is available", () =>
    Effect.gen(function* () {
      const makeUnavailable = (sentence: string) =>
        script(null, Readiness.cases.Unavailable.make({ sentence }))
      const { outcome, readiness } = yield* run([
        makeUnavailable("No key."),
        makeUnavailable("No model.")
      ])
      assert.deepStrictEqual(readiness, {
        _tag: "Unavailable",
        sentence: "No key. No model."
      })
      assert.strictEqual(
        outcome._tag === "Failure" && outcome.failure.reason._tag,
        "EngineUnavailable"
      )
    })
  )
})
