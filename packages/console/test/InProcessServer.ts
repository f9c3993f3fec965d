/**
 * The console and the API over in-memory stores in the test process, for tests without a browser.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeCrypto, NodeHttpServer, NodeServices } from "@effect/platform-node"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Memory from "@verbatim/adapters/memory"
import { MediaFetcher, MediaFetcherError } from "@verbatim/core/ports"
import { OperatorKeys, Services, Workspaces } from "@verbatim/core/services"
import { MediaLimits, Templates } from "@verbatim/core/transcription"
import { Health, serve } from "@verbatim/http"
import { Context, Effect, FileSystem, Layer, Option, Redacted, References } from "effect"
import * as Console from "#src/Console"

/** Keys for the only workspace and for the operator. */
export const keys = {
  management: "management-key-for-tests-0123456",
  inference: "inference-key-for-tests-01234567",
  operator: "operator-key-for-tests-012345678"
} as const

/** The headers that the page sends with write requests. */
export const writeHeaders = { "x-verbatim-console": "session", "content-type": "application/json" }

/** Sends requests to the server. */
export class Address extends Context.Service<
  Address,
  { readonly send: (path: string, init?: RequestInit) => Effect.Effect<Response> }
>()("@verbatim/console/test/Serving/Address") {}

const nowhere = Effect.fail(
  new MediaFetcherError({ reason: { _tag: "Unreachable", detail: "there is no network" } })
)

const found = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const operators = yield* OperatorKeys
  yield* operators.ensure(Redacted.make(keys.operator))
  yield* workspaces.found({
    minutes: 600,
    keys: (["management", "inference"] as const).map((kind) => ({
      kind,
      token: Option.some(Redacted.make(keys[kind]))
    }))
  })
})

const outside = (directory: string) =>
  Layer.mergeAll(
    Memory.layer,
    Filesystem.layer({ directory }),
    Layer.succeed(MediaFetcher, { check: () => nowhere, fetch: () => nowhere }),
    NodeCrypto.layerSecureRandom,
    NodeCrypto.layerDigest,
    Layer.succeed(MediaLimits, { maxFileMegabytes: 10 }),
    Layer.succeed(Templates, new Map()),
    Layer.succeed(References.MinimumLogLevel, "Warn")
  )

const wellReport = {
  isStoreUp: true,
  media: { _tag: "Ours" },
  readiness: Option.none(),
  activity: Option.none()
} as const

/** A server with the console, on a free port. */
export const serverLayer = (options: Console.ConsoleOptions = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const directory = yield* files.makeTempDirectoryScoped({ prefix: "verbatim-console-" })
      const listener = createServer()
      const address = Effect.sync(() => {
        const { port } = listener.address() as AddressInfo
        return Address.of({
          send: (path, init = {}) =>
            Effect.promise(() => fetch(`http://127.0.0.1:${port}${path}`, init))
        })
      })
      return Layer.effect(Address, address).pipe(
        Layer.provideMerge(Layer.effectDiscard(found)),
        Layer.provideMerge(serve(Layer.empty, Console.layer(options))),
        Layer.provideMerge(Services.layer),
        Layer.provide(Layer.succeed(Health, { report: Effect.succeed(wellReport) })),
        Layer.provideMerge(outside(directory)),
        Layer.provide(
          NodeHttpServer.layer(() => listener, {
            port: 0,
            host: "127.0.0.1",
            gracefulShutdownTimeout: 1_000
          })
        )
      )
    })
  ).pipe(Layer.provide([NodeHttpServer.layerHttpServices, NodeServices.layer]))
