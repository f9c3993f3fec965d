/**
 * Servers of one process, alike except for what they count and log; with stores in memory and an
 * engine that answers at once, so that nothing hides what that costs.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MetricsEnabled } from "@verbatim/core/metrics"
import { WorkQueue } from "@verbatim/core/ports"
import { Submissions, Workspaces } from "@verbatim/core/services"
import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime, References, Stream } from "effect"
import { HttpServer } from "effect/http"
import { configuration } from "../../packages/server/src/Configuration.ts"
import { work } from "../../packages/server/src/Engines.ts"
import * as LogLines from "../../packages/server/src/Logging.ts"
import { ground, http } from "../../packages/server/src/Server.ts"
import { engines } from "../jobs/Engines.ts"

export const key = "bench-management-key-0123456789abcdef"

/** Jobs of a minute; more than any run makes. */
const minutes = "10000000"

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

/** What a server tells of itself. */
export interface Telling {
  readonly isCounting: boolean
  /** A line for each request, as where no terminal is. */
  readonly isLogging: boolean
}

/** A server that tells of itself, or does not. */
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
export const startSide = async ({ isCounting, isLogging }: Telling): Promise<Side> => {
  // Writing costs as much as to a file; nobody wants to read it.
  const log = openSync("/dev/null", "w")
  const { logger } = LogLines.make({ write: (text) => writeSync(log, text) })
  const directory = mkdtempSync(join(tmpdir(), "verbatim-bench-metrics-"))
  const settings = Effect.runSync(settingsIn(directory))
  const layer = Layer.provideMerge(
    http(settings),
    Layer.provideMerge(Layer.provide(work(settings), engines), ground(settings))
  ).pipe(
    Layer.provide([
      Layer.succeed(MetricsEnabled, isCounting),
      Logger.layer([logger]),
      Layer.succeed(References.MinimumLogLevel, isLogging ? "Info" : "Error"),
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
      closeSync(log)
      rmSync(directory, { recursive: true, force: true })
    }
  }
}
