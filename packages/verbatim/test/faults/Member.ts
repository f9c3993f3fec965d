/**
 * One process of the fault tests: the real server with its real stores, listener and outbound
 * client, and engines that take a fraction of a second, so that thousands of jobs can be run.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime } from "@effect/platform-node"
import { policies, RetryPolicies } from "@verbatim/core/job/Verdict"
import { AudioDecoder } from "@verbatim/core/ports/AudioDecoder"
import { Summarizer } from "@verbatim/core/ports/Summarizer"
import { Transcriber } from "@verbatim/core/ports/Transcriber"
import { sampleRate } from "@verbatim/core/transcription/DecodedAudio"
import { Duration, Effect, Layer, Logger, Random, References } from "effect"
import { work } from "../../src/Application.ts"
import { configuration } from "../../src/Configuration.ts"
import { serverWith } from "../../src/Server.ts"
import { audioSeconds, redeliveryMillis } from "./Terms.ts"

/** Most jobs are done at once; some are long enough to be killed in the middle. */
const pause = Effect.flatMap(Random.next, (chance) =>
  Effect.sleep(Duration.millis(chance < 0.7 ? 5 : 500 * chance))
)

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

/** Nothing a user could set: minutes between attempts would make this test hours long. */
const impatient = Layer.succeed(RetryPolicies, {
  ...policies,
  Deliver: {
    ...policies.Deliver,
    delay: Duration.millis(redeliveryMillis),
    lostDelay: Duration.seconds(32)
  }
})

const program = Effect.gen(function* () {
  const settings = yield* configuration
  const working = work(settings).pipe(Layer.provide(impatient), Layer.provideMerge(engines))
  yield* Layer.launch(serverWith(settings, working))
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
