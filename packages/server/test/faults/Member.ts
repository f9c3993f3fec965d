/**
 * Runs a process of the fault tests: the real server with real stores, listener and outbound
 * client. The engines take a fraction of a second, so that thousands of jobs can run.
 */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { policies, RetryPolicies } from "@verbatim/core/attempt"
import { AudioDecoder, Summarizer, Transcriber } from "@verbatim/core/ports"
import { sampleRate } from "@verbatim/core/transcription"
import { Duration, Effect, Layer, Logger, Random, References } from "effect"
import { configuration } from "#src/Configuration"
import { work } from "#src/Engines"
import { serverWith } from "#src/Server"
import {
  audioSeconds,
  lostMillisVariable,
  redeliveryMillis,
  upLine,
  workLine
} from "./constants.ts"

/**
 * Most work is instant. Some work takes long enough to be killed midway, and then the engine
 * announces when it will finish.
 */
const pause = Effect.flatMap(Random.next, (chance) => {
  if (chance < 0.6) return Effect.sleep(Duration.millis(5))
  const millis = Math.round(1_500 * chance)
  return Effect.suspend(() => {
    process.stderr.write(`${workLine(Date.now() + millis)}\n`)
    return Effect.sleep(Duration.millis(millis))
  })
})

const engines = Layer.mergeAll(
  Layer.succeed(AudioDecoder, {
    decode: () => Effect.succeed({ path: "/dev/null", sampleCount: audioSeconds * sampleRate })
  }),
  Layer.succeed(Transcriber, {
    readiness: Effect.succeed({ _tag: "Ready" as const, engine: "instant" }),
    transcribe: () =>
      Effect.as(pause, {
        engine: "instant",
        language: "en" as const,
        segments: [{ startMillis: 0, endMillis: 900, speaker: "speaker_0", text: "Hello there." }]
      })
  }),
  Layer.succeed(Summarizer, { summarize: () => Effect.as(pause, "Somebody said hello.") })
)

/**
 * Shortens the pause between attempts, which users cannot set. With the real pause of several
 * minutes, this test would take hours.
 */
const impatient = Layer.succeed(RetryPolicies, {
  ...policies,
  Deliver: {
    ...policies.Deliver,
    delay: Duration.millis(redeliveryMillis),
    lostDelay: Duration.millis(Number(process.env[lostMillisVariable] ?? 32_000))
  }
})

const program = Effect.gen(function* () {
  const settings = yield* configuration
  const working = work(settings).pipe(Layer.provide(impatient), Layer.provideMerge(engines))
  const announced = Layer.effectDiscard(Effect.logInfo(upLine))
  yield* Layer.launch(Layer.provide(announced, serverWith(settings, working)))
})

program.pipe(
  Effect.provide(
    Layer.mergeAll(
      Logger.layer([Logger.consolePretty()]),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.TracerEnabled, false)
    )
  ),
  NodeRuntime.runMain()
)
