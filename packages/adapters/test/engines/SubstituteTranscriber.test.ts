import { assert, describe, it } from "@effect/vitest"
import { Failure } from "@verbatim/core/attempt"
import { Readiness, Transcriber, TranscriberError } from "@verbatim/core/ports"
import { Effect, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import * as SubstituteTranscriber from "#src/engines/SubstituteTranscriber"
import { recognition } from "./Rows.ts"

const { Preparing, Ready, Unavailable } = Readiness.cases

/** An engine that is ready, being installed or unavailable, as the test decides. */
const makeEngine = (engine: string, readiness: Ref.Ref<Readiness>) =>
  Layer.succeed(Transcriber, {
    readiness: Ref.get(readiness),
    transcribe: () =>
      Effect.flatMap(Ref.get(readiness), ({ _tag }) =>
        _tag === "Ready"
          ? Effect.succeed({ engine, language: "en" as const, segments: [] })
          : Effect.fail(
              new TranscriberError({
                reason: Failure.cases.EngineUnavailable.make({ detail: _tag })
              })
            )
      )
  })

const setUp = Effect.gen(function* () {
  const wanted = yield* Ref.make<Readiness>(Preparing.make({ sentence: "it is being fetched" }))
  const other = yield* Ref.make<Readiness>(Ready.make({ engine: "modest" }))
  const startCount = yield* Ref.make(0)
  const counted = Layer.unwrap(
    Effect.as(
      Ref.update(startCount, (count) => count + 1),
      makeEngine("modest", other)
    )
  )
  const layer = SubstituteTranscriber.layer({
    wanted: makeEngine("best", wanted),
    name: "best",
    substitute: counted,
    substituteName: "modest"
  })
  const transcriber = yield* Effect.provide(Transcriber, yield* Layer.build(layer))
  return { wanted, startCount, transcriber }
})

describe("a substitute engine", () => {
  it.effect("does not start while the preferred engine is ready or being installed", () =>
    Effect.gen(function* () {
      const { startCount, transcriber, wanted } = yield* setUp
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* transcriber.readiness)._tag, "Preparing")
      yield* Ref.set(wanted, Ready.make({ engine: "best" }))
      yield* TestClock.adjust("1 second")
      const { engine } = yield* transcriber.transcribe(recognition)
      assert.strictEqual(engine, "best")
      assert.strictEqual(yield* Ref.get(startCount), 0)
    })
  )

  it.effect("transcribes under both names if the preferred engine is unavailable", () =>
    Effect.gen(function* () {
      const { startCount, transcriber, wanted } = yield* setUp
      yield* Ref.set(wanted, Unavailable.make({ sentence: "there is no network" }))
      assert.strictEqual((yield* transcriber.readiness)._tag, "Preparing")
      yield* TestClock.adjust("1 second")
      const ready = Ready.make({ engine: "modest (instead of best)" })
      assert.deepStrictEqual(yield* transcriber.readiness, ready)
      const { engine } = yield* transcriber.transcribe(recognition)
      assert.strictEqual(engine, "modest (instead of best)")
      assert.strictEqual(yield* Ref.get(startCount), 1)
    })
  )

  it.effect("is unavailable, like the preferred engine, if it fails to start", () =>
    Effect.gen(function* () {
      const sentence = "there is no network"
      const layer = SubstituteTranscriber.layer({
        wanted: makeEngine("best", yield* Ref.make<Readiness>(Unavailable.make({ sentence }))),
        name: "best",
        substitute: Layer.effect(Transcriber, Effect.die("no space")),
        substituteName: "modest"
      })
      const transcriber = yield* Effect.provide(Transcriber, yield* Layer.build(layer))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* transcriber.readiness, Unavailable.make({ sentence }))
    })
  )
})
