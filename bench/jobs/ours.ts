/**
 * Our program, with its services, worker, stores and outbound client, and an engine that returns
 * immediately. Like the peers, our program uses no recordings.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AudioDecoder, MediaStore, Summarizer, Transcriber } from "@verbatim/core/ports"
import { Services, Submissions, Workspaces } from "@verbatim/core/services"
import { sampleRate } from "@verbatim/core/transcription"
import { ConfigProvider, Effect, Layer, ManagedRuntime, References, Stream } from "effect"
import { adapters } from "../../packages/server/src/adapters.ts"
import { configuration } from "../../packages/server/src/Configuration.ts"
import { work } from "../../packages/server/src/Engines.ts"
import { audioMillis, callbackIdOf, concurrency, type Place, serve, spoken } from "./serve.ts"

/** The file is not empty, because an empty file would be rejected. */
const oneByte = Stream.make(new Uint8Array(1))

/** The balance is enough for millions of one-minute jobs. */
const minutes = 10_000_000

const settingsOf = ({ databaseUrl }: Place) =>
  Effect.runSync(
    configuration.parse(
      ConfigProvider.fromUnknown({
        VERBATIM_DATABASE_URL: databaseUrl,
        // A media folder belongs to a single database, so each database gets its own folder.
        VERBATIM_DATA_DIR: join(tmpdir(), `verbatim-jobs-${databaseUrl.replace(/\W+/g, "-")}`),
        VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
        VERBATIM_TRANSCRIBE_CONCURRENCY: String(concurrency),
        VERBATIM_ORIGIN_CONCURRENCY: String(concurrency)
      })
    )
  )

const noMedia = Layer.succeed(MediaStore, {
  put: ({ content }) =>
    Stream.runFold(
      Stream.orDie(content),
      () => 0,
      (sum, { byteLength }) => sum + byteLength
    ),
  open: () => Effect.succeed({ path: "/dev/null", extension: "wav", byteLength: 0 }),
  read: () => Effect.succeed(Stream.empty),
  remove: () => Effect.void,
  olderThan: () => Stream.empty,
  marker: Effect.succeedNone,
  mark: (text) => Effect.succeed(text)
})

/** Engines that immediately return the same result for every job. */
const engines = Layer.mergeAll(
  Layer.succeed(AudioDecoder, {
    decode: () =>
      Effect.succeed({ path: "/dev/null", sampleCount: (audioMillis / 1000) * sampleRate })
  }),
  Layer.succeed(Transcriber, {
    readiness: Effect.succeed({ _tag: "Ready" as const, engine: "instant" }),
    transcribe: () =>
      Effect.succeed({ engine: "instant", language: "en" as const, segments: spoken })
  }),
  Layer.succeed(Summarizer, { summarize: () => Effect.succeed("They meet at ten.") })
)

const quiet = Layer.succeed(References.MinimumLogLevel, "Warn" as const)

const grounds = (place: Place) =>
  Layer.mergeAll(adapters(settingsOf(place)), quiet, Layer.succeed(References.TracerEnabled, false))

const under = (place: Place) => Layer.provideMerge(noMedia, grounds(place))

await serve({
  work: async (place) => {
    const working = work(settingsOf(place)).pipe(
      Layer.provide(engines),
      Layer.provide(under(place))
    )
    await ManagedRuntime.make(working).context()
  },
  accept: async (place) => {
    const runtime = ManagedRuntime.make(Services.layer.pipe(Layer.provideMerge(under(place))))
    const owner = await runtime.runPromise(
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        yield* workspaces.found({ keys: [], minutes })
        const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
        if (first === undefined) return yield* Effect.die("a founded store has no workspace")
        const { firstUserId, id } = first.workspace
        return { kind: "management" as const, workspaceId: id, userId: firstUserId }
      })
    )
    const submissions = await runtime.runPromise(Submissions)
    return async (number) => {
      const parameter = (name: string, value: string) => ({
        _tag: "Parameter" as const,
        name,
        value
      })
      await runtime.runPromise(
        submissions.submit(owner, {
          isTextual: true,
          parts: Stream.fromIterable([
            parameter("callback_url", place.callbackUrl),
            parameter("callback_id", callbackIdOf(number)),
            { _tag: "File" as const, name: "file", filename: "a.wav", content: oneByte }
          ])
        })
      )
    }
  }
})
