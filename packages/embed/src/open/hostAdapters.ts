/**
 * Connects adapters to the ports of an embedded Verbatim, and builds the services and the worker.
 * An adapter is loaded only when it is chosen, so a host need not install the others.
 */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { dependencyNames } from "@verbatim/core/attempt"
import { toDetailedView } from "@verbatim/core/job"
import { NoticesEnabled } from "@verbatim/core/notice"
import {
  type AudioDecoder,
  type JobCall,
  JobListener,
  JobListenerError,
  type MediaStore,
  type Summarizer,
  type Transcriber
} from "@verbatim/core/ports"
import { MediaIdentity, Services, Workspaces } from "@verbatim/core/services"
import { type Concurrency as Counts, Worker } from "@verbatim/core/worker"
import { secretsFrom } from "@verbatim/core/workspace"
import { Duration, Effect, Layer, Option, Record, Redacted, Schedule } from "effect"
import type { SecureRandom } from "effect/crypto"
import { IpNetwork } from "effect/net"
import { layerOf } from "../Engine.ts"
import { InvalidOptions } from "../Errors.ts"
import { settings } from "../effect/Settings.ts"
import { worker } from "../effect/Worker.ts"
import type { Bucket, Concurrency, Job, OnFinished, OnOutages, Options, Role } from "../Options.ts"
import { platform } from "../Platform.ts"
import * as Database from "./Database.ts"
import { defaultMediaFolder, failingWith, loadLayer } from "./Database.ts"
import * as HostLog from "./HostLog.ts"

const makeInvalid = (message: string) => new InvalidOptions({ code: "InvalidOptions", message })

/** Explains why a folder cannot store media. */
const toFolderError = (directory: string) => async (cause: unknown) => {
  const { fileReasonOf } = await import("../Trouble.ts")
  const reason = fileReasonOf(cause) ?? "the file system refuses it"
  const message = `"media": the folder ${resolve(directory)} is not writable: ${reason}.`
  return new InvalidOptions({ code: "InvalidOptions", message, cause })
}

/** Creates a folder that is removed when the process closes. */
const makeFolder = (parent: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        try {
          const { makeFolders } = await import("@verbatim/adapters/filesystem")
          makeFolders(parent)
          return await mkdtemp(join(parent, "verbatim-media-"))
        } catch (cause) {
          throw await toFolderError(parent)(cause)
        }
      },
      catch: (error) => error
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

const inFolder = (directory: string): Layer.Layer<MediaStore, unknown> =>
  loadLayer(async () => (await import("@verbatim/adapters/filesystem")).layer({ directory })).pipe(
    failingWith(toFolderError(directory))
  )

const inBucket = ({ bucket, credentials, endpoint, prefix = "", region }: Bucket) =>
  loadLayer(async () =>
    (await import("@verbatim/adapters/s3")).layer({
      bucket,
      region,
      prefix,
      endpoint: Option.fromUndefinedOr(endpoint),
      credentials: Option.map(Option.fromUndefinedOr(credentials), (given) => ({
        accessKeyId: given.accessKeyId,
        secretAccessKey: Redacted.make(given.secretAccessKey)
      })),
      directory: join(tmpdir(), "verbatim-media")
    })
  )

/** Opens the media store that the options name. */
const media = (options: Options): Layer.Layer<MediaStore, unknown> => {
  const { database, media: given } = options
  if (typeof given === "object") return inBucket(given)
  const folder = given?.replace(/^file:(?:\/\/)?/, "")
  // Each in-memory database needs a new folder, because the marker in the folder must match the
  // database.
  return database === "memory:"
    ? Layer.unwrap(Effect.map(makeFolder(folder ?? tmpdir()), inFolder))
    : inFolder(folder ?? defaultMediaFolder(options))
}

const networksOf = (texts: ReadonlyArray<string>) =>
  texts.map((text) => {
    try {
      return IpNetwork.fromStringUnsafe(text)
    } catch {
      throw makeInvalid(
        `"allowedNetworks": ${JSON.stringify(text)} is not a network such as 10.0.0.0/8`
      )
    }
  })

const secretsOf = (texts: ReadonlyArray<string>) => {
  const secrets = texts.length === 0 ? [] : secretsFrom(texts.join(" "))
  if (secrets !== undefined) return secrets
  throw makeInvalid(`"webhookSecrets": each must be whsec_ and 24 to 64 bytes as Base64`)
}

/** Converts the options to core's settings. */
const settingsOf = ({
  allowedNetworks = [],
  maxFileMegabytes,
  retention,
  webhookSecrets = []
}: Options): Layer.Layer<never> =>
  settings({
    ...(maxFileMegabytes === undefined ? {} : { maxFileMegabytes }),
    ...(retention && {
      retention: {
        mediaDays: retention.media ?? null,
        transcriptDays: retention.transcript ?? null,
        jobDays: retention.job ?? null
      }
    }),
    allowedNetworks: networksOf(allowedNetworks),
    webhookSecrets: secretsOf(webhookSecrets)
  })

/** Provides requests to other servers: downloads and webhooks. */
const outbound = ({ allowedNetworks = [] }: Options) =>
  loadLayer(async () =>
    (await import("@verbatim/adapters/net")).layer({ allowedNetworks: networksOf(allowedNetworks) })
  )

const transcriber = ({
  transcribe
}: Options): Layer.Layer<Transcriber, never, SecureRandom.SecureRandom> => {
  if (typeof transcribe === "function") {
    return loadLayer(async () => (await import("./HostEngine.ts")).transcriber(transcribe))
  }
  const engine = transcribe === undefined ? undefined : layerOf(transcribe)
  if (engine === undefined) throw makeInvalid(`"transcribe": not an engine of this package`)
  return engine
}

/** Finds speakers by channel or track, for engines that cannot tell speakers apart. */
const withChannels = (engine: ReturnType<typeof transcriber>): ReturnType<typeof transcriber> =>
  loadLayer(async () => (await import("@verbatim/adapters/engines")).ChannelSpeakers.wrap(engine))

const summarizer = ({ summarize }: Options): Layer.Layer<Summarizer> =>
  summarize === undefined
    ? loadLayer(async () => (await import("@verbatim/adapters/lexrank")).layer)
    : loadLayer(async () => (await import("./HostEngine.ts")).summarizer(summarize))

const decoderMissing = {
  auto: "Media cannot be decoded without ffmpeg on PATH or @ffmpeg/core: npm install @ffmpeg/core",
  system: `"decoder": there is no working ffmpeg on PATH`,
  wasm: `"decoder": @ffmpeg/core is missing: npm install @ffmpeg/core`
} as const

/**
 * Finds the decoder. Without one, `open` fails, because otherwise every job would wait for a day.
 */
const decoder = ({ decoder: choice = "auto" }: Options): Layer.Layer<AudioDecoder> =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (choice === "none") {
        return (yield* Effect.promise(() => import("./HostEngine.ts"))).silentDecoder
      }
      const ffmpeg = yield* Effect.promise(() => import("@verbatim/adapters/ffmpeg"))
      const found = yield* ffmpeg.find(choice)
      if (found._tag === "Wasm") return ffmpeg.layerWasm()
      if (found._tag === "System") return ffmpeg.layerSystem({ ffmpegPath: found.path })
      return yield* Effect.die(
        new InvalidOptions({ code: "DecoderMissing", message: decoderMissing[choice] })
      )
    })
  )

/** Provides the transcriber, the summarizer and the decoder. */
const engines = (options: Options) =>
  Layer.mergeAll(withChannels(transcriber(options)), summarizer(options), decoder(options))

/** Calls the host's `onFinished` for the worker. An error goes into the job's history. */
const listener = (onFinished: OnFinished) =>
  Layer.effect(
    JobListener,
    Effect.map(Workspaces, (workspaces) => {
      const finished = Effect.fnUntraced(
        function* ({ attempt, id, job }: JobCall) {
          const { workspaceId } = job
          const { balanceMillis, workspace } = yield* workspaces.account(workspaceId)
          const shown = toDetailedView(job, {
            balanceMillis,
            transcript: Option.none(),
            audience: "management"
          })
          const owner = { id: workspaceId, name: workspace.externalId }
          yield* Effect.tryPromise({
            // A function that throws is treated like one that rejects.
            try: async (signal) =>
              onFinished(shown as Job, { id, attempt, workspace: owner, signal }),
            catch: (fault) => fault
          })
        },
        Effect.mapError((fault) => new JobListenerError({ detail: HostLog.detailOf(fault) }))
      )
      return JobListener.of({ finished })
    })
  )

/**
 * Interval between checks for outages. Checking more often would hardly help, because an outage
 * begins only after repeated failures.
 */
const outageInterval = Duration.seconds(1)

/**
 * Calls the host's `onOutages` whenever an outage of the worker begins or ends. The worker does not
 * wait for the call, because a promise that never settles would prevent all later calls.
 */
const watchOutages = (onOutages: OnOutages) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { activity } = yield* Worker
      let known = ""
      const report = Effect.gen(function* () {
        const { outages } = yield* activity
        const shown = outages.map(({ cause, dependency }) => ({
          name: dependencyNames[dependency],
          ...(cause === undefined ? {} : { cause })
        }))
        const names = shown.map(({ name }) => name).join()
        if (names === known) return
        known = names
        yield* Effect.tryPromise({
          try: async () => onOutages(shown),
          catch: HostLog.detailOf
        }).pipe(
          Effect.catch((detail) => Effect.logWarning("onOutages failed", { detail })),
          Effect.forkScoped
        )
      })
      yield* report.pipe(Effect.repeat(Schedule.spaced(outageInterval)), Effect.forkScoped)
    })
  )

/** The default roles of a process. */
const defaultRoles: ReadonlyArray<Role> = ["http", "worker"]

/** Whether a process has a worker. */
const isWorker = (options: Options): boolean => {
  const roles: ReadonlyArray<Role> = options.roles ?? defaultRoles
  return roles.includes("worker")
}

const toCounts = ({ download, summarize, transcribe, webhook }: Concurrency): Partial<Counts> =>
  Record.filter(
    { Fetch: download, Deliver: webhook, Transcribe: transcribe, Summarize: summarize },
    (count) => count !== undefined
  )

/** Provides the services, and runs a worker if the roles include one. */
export const ground = (options: Options) => {
  const { concurrency = {}, logger, onFinished, onOutages, reusePieces = true } = options
  // All other layers get the logger, because adapters log too, and migrations are the first to log.
  const chosen = Layer.mergeAll(
    settingsOf(options),
    HostLog.layer(logger),
    Layer.succeed(NoticesEnabled, onFinished !== undefined)
  )
  const foundation = MediaIdentity.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(Database.stores(options), media(options), outbound(options), platform)
    ),
    Layer.provideMerge(chosen)
  )
  const services = Layer.provideMerge(Services.layer, foundation)
  if (!isWorker(options)) return services
  const pieces = {
    areReused: reusePieces,
    ...(concurrency.pieces === undefined ? {} : { atOnce: concurrency.pieces })
  }
  const watching = onOutages === undefined ? Layer.empty : watchOutages(onOutages)
  return watching.pipe(
    Layer.provideMerge(worker({ concurrency: toCounts(concurrency), pieces })),
    Layer.provideMerge(
      Layer.merge(engines(options), onFinished === undefined ? Layer.empty : listener(onFinished))
    ),
    Layer.provideMerge(services)
  )
}

/** The services of an opened Verbatim. */
export type HostServices = Layer.Success<ReturnType<typeof ground>>
