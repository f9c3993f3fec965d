/**
 * Runs the API over real HTTP on a free port, with the real core, in-memory stores, media in a
 * temporary folder, and a simulated internet of two hosts.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Memory from "@verbatim/adapters/memory"
import {
  JobStore,
  MediaFetcher,
  MediaFetcherError,
  type Stores,
  WorkspaceStore
} from "@verbatim/core/ports"
import { OperatorKeys, Services, SubscriberLimits, Workspaces } from "@verbatim/core/services"
import { MediaLimits, type Parameters, Templates } from "@verbatim/core/transcription"
import { Health, type HealthReport, layer as server } from "@verbatim/http"
import {
  Context,
  Effect,
  FileSystem,
  identity,
  Layer,
  Option,
  Redacted,
  Ref,
  References
} from "effect"

/**
 * One key of each kind. The keys are fixed and have 32 characters, so that tests can spell them
 * out.
 */
export const keys = {
  management: "management-key-for-tests-0123456",
  inference: "inference-key-for-tests-01234567"
} as const

/** The operator's key, which belongs to no workspace. */
export const operatorKey = "operator-key-for-tests-012345678"

/** The size limit for files in megabytes, kept small so that tests can exceed it. */
export const maxFileMegabytes = 110

/** A response whose body was read to the end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The parts of a request. `key` is sent as a bearer token. */
export interface Call {
  readonly method?: string
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit["body"]>
}

export class Deployment extends Context.Service<
  Deployment,
  {
    readonly port: number
    readonly call: (path: string, call?: Call) => Effect.Effect<Answer>
    /** The names of all files in the media folder. */
    readonly stored: Effect.Effect<ReadonlyArray<string>>
    readonly health: Ref.Ref<HealthReport>
  }
>()("@verbatim/http/test/Deployment") {}

/** Asserts that the media folder is empty. */
export const storesNothing = Effect.gen(function* () {
  const { stored } = yield* Deployment
  assert.deepStrictEqual(yield* stored, [])
})

const request =
  (port: number) =>
  (path: string, call: Call = {}) =>
    Effect.promise(async (signal): Promise<Answer> => {
      const bearer = call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: call.method ?? (call.body === undefined ? "GET" : "POST"),
        headers: { ...bearer, ...call.headers },
        ...(call.body === undefined ? {} : { body: call.body, duplex: "half" }),
        redirect: "manual",
        signal
      })
      const { headers, status } = response
      // A stream of live events never ends, so its body is not read.
      const isEndless = headers.get("content-type")?.startsWith("text/event-stream") === true
      if (isEndless) await response.body?.cancel()
      return { status, headers, text: isEndless ? "" : await response.text() }
    })

const failure = (reason: MediaFetcherError["reason"]) =>
  Effect.fail(new MediaFetcherError({ reason }))

/**
 * The host `media.example.com` has every file, one of which is large. Other hosts do not resolve.
 */
const check = (url: string) => {
  const { host, pathname } = new URL(url)
  if (host === "missing.example.com") {
    return failure({ _tag: "Unresolved", host, code: "ENOTFOUND" })
  }
  if (host !== "media.example.com") return failure({ _tag: "Unreachable", detail: host })
  return Effect.succeed({
    hops: [],
    filename: Option.none(),
    contentType: Option.none(),
    byteLength: Option.some(pathname.startsWith("/large") ? 300_000_000 : 1000)
  })
}

const fetcher = Layer.succeed(MediaFetcher, {
  check,
  fetch: (url) => failure({ _tag: "Unreachable", detail: url })
})

interface Options {
  /** The workspace's balance. */
  readonly minutes?: number
  readonly maxFileMegabytes?: number
  readonly templates?: ReadonlyMap<string, Parameters>
  /** Replaces the in-memory job store, for example by a broken store. */
  readonly jobStore?: (store: JobStore["Service"]) => JobStore["Service"]
  /** Replaces the in-memory workspace store. */
  readonly workspaceStore?: (store: WorkspaceStore["Service"]) => WorkspaceStore["Service"]
  readonly listenerLimits?: SubscriberLimits
  /** Replaces the in-memory stores, for example by database stores. */
  readonly stores?: Layer.Layer<Stores>
  /**
   * Whether each request is logged. The default is false, because successful requests would log
   * thousands of lines.
   */
  readonly isLogged?: boolean
  /** A real fetcher, which replaces the simulated internet of two hosts. */
  readonly fetcher?: Layer.Layer<MediaFetcher>
}

const stores = ({
  jobStore = identity,
  stores: database = Memory.layer,
  workspaceStore = identity
}: Options) =>
  Layer.mergeAll(
    Layer.effect(JobStore, Effect.map(JobStore, jobStore)),
    Layer.effect(WorkspaceStore, Effect.map(WorkspaceStore, workspaceStore))
  ).pipe(Layer.provideMerge(database))

/** Provides the stores, adapters and settings of the server. */
const outside = (directory: string, options: Options) =>
  Layer.mergeAll(
    stores(options),
    Filesystem.layer({ directory }),
    options.fetcher ?? fetcher,
    NodeCrypto.layerSecureRandom,
    NodeCrypto.layerDigest,
    Layer.succeed(MediaLimits, { maxFileMegabytes: options.maxFileMegabytes ?? maxFileMegabytes }),
    options.listenerLimits === undefined
      ? Layer.empty
      : Layer.succeed(SubscriberLimits, options.listenerLimits),
    Layer.succeed(Templates, options.templates ?? new Map()),
    options.isLogged === true ? Layer.empty : Layer.succeed(References.MinimumLogLevel, "Warn")
  )

/** The health report of a process that has no worker, while its store is up. */
export const wellReport: HealthReport = {
  isStoreUp: true,
  media: { _tag: "Ours" },
  readiness: Option.none(),
  activity: Option.none()
}

const found = Effect.fnUntraced(function* (minutes: number) {
  const workspaces = yield* Workspaces
  const operators = yield* OperatorKeys
  yield* operators.ensure(Redacted.make(operatorKey))
  yield* workspaces.found({
    minutes,
    keys: (["management", "inference"] as const).map((kind) => ({
      kind,
      token: Option.some(Redacted.make(keys[kind]))
    }))
  })
})

/**
 * A deployment on its own server or on a host's, with an operator and a workspace that has 600
 * minutes.
 */
export const layer = (options: Options = {}, listening: typeof server = server) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const directory = yield* files.makeTempDirectoryScoped({ prefix: "verbatim-http-" })
      const health = yield* Ref.make(wellReport)
      // Clients can reuse a connection for a minute, even if this process was too busy to respond.
      const listener = createServer({ keepAliveTimeout: 60_000 })
      const deployment = Effect.sync(() => {
        const { port } = listener.address() as AddressInfo
        return Deployment.of({
          port,
          call: request(port),
          stored: files.readDirectory(directory, { recursive: true }).pipe(
            Effect.map((names) => names.filter((name) => !name.startsWith("."))),
            Effect.orDie
          ),
          health
        })
      })
      return Layer.effect(Deployment, deployment).pipe(
        Layer.provideMerge(Layer.effectDiscard(found(options.minutes ?? 600))),
        Layer.provideMerge(listening),
        Layer.provideMerge(Services.layer),
        Layer.provide(Layer.succeed(Health, { report: Ref.get(health) })),
        Layer.provideMerge(outside(directory, options)),
        Layer.provide(
          NodeHttpServer.layer(() => listener, {
            port: 0,
            host: "127.0.0.1",
            gracefulShutdownTimeout: 1_000
          })
        )
      )
    })
  ).pipe(Layer.provide(NodeHttpServer.layerHttpServices))
