/**
 * Transcribes a recording in a program with its own engine, without a server, ffmpeg or a model.
 */
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as LexRank from "@verbatim/adapters/lexrank"
import * as Memory from "@verbatim/adapters/memory"
import * as Net from "@verbatim/adapters/net"
import { isFinished } from "@verbatim/core/job"
import { AudioDecoder, Transcriber } from "@verbatim/core/ports"
import { Jobs, MediaIdentity, Services, Submissions, Workspaces } from "@verbatim/core/services"
import { durationMillis } from "@verbatim/core/transcription"
import { platform, settings, worker } from "@verbatim/embed/effect"
import { Console, Effect, Layer, Schedule, Stream } from "effect"

/** The recordings are already decoded: 16,000 samples of two bytes per second. */
const decoder = Layer.succeed(AudioDecoder, {
  decode: ({ byteLength, path }) => Effect.succeed({ path, sampleCount: byteLength / 2 })
})

const engine = Layer.succeed(Transcriber, {
  readiness: Effect.succeed({ _tag: "Ready" as const, engine: "own" }),
  transcribe: ({ audio, language }) =>
    Effect.succeed({
      engine: "own",
      language: language ?? "en",
      segments: [
        { startMillis: 0, endMillis: durationMillis(audio), speaker: "speaker_0", text: "Hello." }
      ]
    })
})

const verbatim = Services.layer.pipe(
  Layer.provideMerge(worker({ concurrency: { Transcribe: 2 } })),
  Layer.provideMerge(MediaIdentity.layer),
  Layer.provide([Memory.layer, Filesystem.layer({ directory: "media" }), decoder, engine]),
  Layer.provide([LexRank.layer, Net.layer({ allowedNetworks: [] })]),
  Layer.provide([platform, settings({ maxFileMegabytes: 500 })])
)

const program = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* workspaces.found({ minutes: 600, keys: [] })
  const [{ workspace } = yield* Effect.die("no workspace")] = yield* workspaces.accounts({
    after: null,
    limit: 1
  })
  const principal = {
    kind: "inference" as const,
    workspaceId: workspace.id,
    userId: workspace.firstUserId
  }

  const content = Stream.make(new Uint8Array(32_000))
  const { id } = yield* (yield* Submissions).submit(principal, {
    isTextual: false,
    parts: Stream.make({ _tag: "File" as const, name: "file", filename: "second.wav", content })
  })
  const job = yield* (yield* Jobs)
    .status(principal, id)
    .pipe(Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: isFinished }))
  yield* Console.log(`${job.transcription_status}: ${job.output?.list[0]?.text}`)
})

await Effect.runPromise(Effect.provide(program, verbatim))
