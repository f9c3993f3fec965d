/**
 * Two servers of one process, alike except that one of them counts nothing; with stores in memory
 * and an engine that answers at once, so that nothing hides what counting costs.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MetricsEnabled } from "@verbatim/core/metrics"
import { AudioDecoder, Summarizer, Transcriber, WorkQueue } from "@verbatim/core/ports"
import { Submissions, Workspaces } from "@verbatim/core/services"
import { ConfigProvider, Effect, Layer, ManagedRuntime, References, Stream } from "effect"
import { HttpServer } from "effect/http"
import { work } from "../../packages/verbatim/src/Application.ts"
import { configuration } from "../../packages/verbatim/src/Configuration.ts"
import { ground, http } from "../../packages/verbatim/src/Server.ts"

export const key = "bench-management-key-0123456789abcdef"

/** Jobs of a minute; more than any run makes. */
const minutes = "10000000"

const engines = Layer.mergeAll(
  Layer.succeed(AudioDecoder, {
    decode: () => Effect.succeed({ path: "/dev/null", sampleCount: 960_000 })
  }),
  Layer.succeed(Transcriber, {
    readiness: Effect.succeed({ _tag: "Ready" as const, engine: "instant" }),
    transcribe: () => Effect.succeed({ engine: "instant", language: "en", segments: [] })
  }),
  Layer.succeed(Summarizer, { summarize: () => Effect.succeed("They meet at ten.") })
)

const settingsIn = (directory: string) =>
  configuration.parse(
    ConfigProvider.fromUnknown({
      VERBATIM_DATABASE_URL: "memory:",
      VERBATIM_DATA_DIR: directory,
      VERBATIM_PORT: "0",
      VERBATIM_TRANSCRIBE_CONCURRENCY: "16",
      VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: key,
      VERBATIM_BOOTSTRAP_MINUTES: minutes
    })
  )

/** A server that counts, or does not. */
export interface Side extends AsyncDisposable {
  readonly address: string
  /** Accepts so many jobs, and waits until none is owed. */
  readonly finishJobs: (count: number) => Promise<void>
}

const submitJobs = Effect.fnUntraced(function* (count: number) {
  const submissions = yield* Submissions
  const workspaces = yield* Workspaces
  const queue = yield* WorkQueue
  const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
  if (first === undefined) return yield* Effect.die("a founded store has no workspace")
  const { firstUserId, id } = first.workspace
  const owner = { kind: "management" as const, workspaceId: id, userId: firstUserId }
  const file = { _tag: "File" as const, name: "file", filename: "a.wav" }
  const submit = submissions.submit(owner, {
    isTextual: true,
    parts: Stream.succeed({ ...file, content: Stream.succeed(new Uint8Array(8)) })
  })
  yield* Effect.forEach(Array.from({ length: count }), () => submit, { concurrency: 16 })
  const isDone = Effect.map(queue.owed, ({ Transcribe: { held, waiting } }) => held + waiting === 0)
  while (!(yield* isDone)) yield* Effect.sleep(1)
})

/** Starts a server. */
export const startSide = async (isCounting: boolean): Promise<Side> => {
  const directory = mkdtempSync(join(tmpdir(), "verbatim-bench-metrics-"))
  const settings = Effect.runSync(settingsIn(directory))
  const layer = Layer.provideMerge(
    http(settings),
    Layer.provideMerge(Layer.provide(work(settings), engines), ground(settings))
  ).pipe(
    Layer.provide([
      Layer.succeed(MetricsEnabled, isCounting),
      Layer.succeed(References.MinimumLogLevel, "Error"),
      Layer.succeed(References.TracerEnabled, false)
    ])
  )
  const runtime = ManagedRuntime.make(layer)
  const address = await runtime.runPromise(
    Effect.map(HttpServer.HttpServer, (server) => HttpServer.formatAddress(server.address))
  )
  const counting = Effect.provideService(MetricsEnabled, isCounting)
  return {
    address,
    finishJobs: (count) => runtime.runPromise(counting(submitJobs(count))),
    [Symbol.asyncDispose]: async () => {
      await runtime.dispose()
      rmSync(directory, { recursive: true, force: true })
    }
  }
}
