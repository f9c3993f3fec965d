/**
 * Verbatim inside a host application: the same core, stores, engines and worker as the server, in
 * one layer, without HTTP.
 */
import { tmpdir } from "node:os"
import { basename } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { isFinished, type JobView } from "@verbatim/core/job"
import type { MediaStoreError } from "@verbatim/core/ports"
import { Jobs, Services, Submissions, Workspaces } from "@verbatim/core/services"
import type { Worker } from "@verbatim/core/worker"
import type { Principal } from "@verbatim/core/workspace"
import {
  type Config,
  ConfigProvider,
  Duration,
  Effect,
  FileSystem,
  Layer,
  type PlatformError,
  Schedule,
  Stream
} from "effect"
import { foundation, worker } from "./Application.ts"
import { type Configuration, configuration } from "./Configuration.ts"
import type { StoresError } from "./Stores.ts"
import type { TemplatesError } from "./Templates.ts"

/** Why Verbatim cannot be opened. */
export type OpenError =
  | Config.ConfigError
  | MediaStoreError
  | PlatformError.PlatformError
  | StoresError
  | TemplatesError

/** What a host may choose; the rest has the server's defaults. */
export type EmbedOptions = Partial<Configuration>

/** The server's defaults, whatever the environment says, with stores in memory. */
const defaults = configuration.parse(
  ConfigProvider.fromUnknown({ VERBATIM_DATABASE_URL: "memory:" })
)

/** A private folder for media that the layer removes, unless the host names one that stays. */
const mediaDirectory = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-media-" })
}).pipe(Effect.provide(NodeFileSystem.layer))

/**
 * Presets, jobs and workspaces with everything behind them, and a worker that runs as long as the
 * layer. By default nothing outlives it: name a database and a media directory to keep them.
 */
export const layer = (
  options: EmbedOptions = {}
): Layer.Layer<Services.Services | Worker, OpenError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const settings: Configuration = {
        ...(yield* defaults),
        mediaDirectory: options.mediaDirectory ?? (yield* mediaDirectory),
        workDirectory: tmpdir(),
        ...options
      }
      return Services.layer.pipe(
        Layer.provideMerge(worker(settings)),
        Layer.provideMerge(foundation(settings))
      )
    })
  )

/** Minutes of a workspace that a host founds for itself: like the server's first one. */
const ownMinutes = 600

/** The host as the owner of the first workspace, which is founded where there is none. */
export const owner: Effect.Effect<Principal, OwnerError, Workspaces> = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* workspaces.found({ keys: [], minutes: ownMinutes })
  const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
  if (first === undefined) return yield* Effect.die("a founded store has no workspace")
  const { firstUserId, id } = first.workspace
  return { kind: "management" as const, workspaceId: id, userId: firstUserId }
})

type OwnerError = Effect.Error<ReturnType<Workspaces["Service"]["found"]>>

/** The parameters of the create request, by their names on the wire. */
export type Parameters = Readonly<Record<string, string | boolean>>

/** Submits a file of this machine. It is streamed into the media store. */
export const transcribe = Effect.fn("Verbatim.transcribe")(function* (
  principal: Principal,
  { parameters = {}, path }: { readonly path: string; readonly parameters?: Parameters }
) {
  const submissions = yield* Submissions
  const fs = yield* FileSystem.FileSystem
  const file = {
    _tag: "File" as const,
    name: "file",
    filename: basename(path),
    content: fs.stream(path)
  }
  const given = Object.entries(parameters).map(([name, value]) => ({
    _tag: "Parameter" as const,
    name,
    value
  }))
  return yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.fromIterable([...given, file])
  })
}, Effect.provide(NodeFileSystem.layer))

/** How often a job is looked at while somebody waits for it. */
const lookInterval = Duration.millis(250)

/** Waits until nothing can happen to a job any more: transcript, summary and webhook have ended. */
export const finished = Effect.fn("Verbatim.finished")(function* (
  principal: Principal,
  { id }: Pick<JobView, "id">
) {
  const jobs = yield* Jobs
  return yield* jobs
    .status(principal, id)
    .pipe(Effect.repeat({ schedule: Schedule.spaced(lookInterval), until: isFinished }))
})
