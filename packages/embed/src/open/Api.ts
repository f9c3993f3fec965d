/**
 * The API of an opened Verbatim. It is loaded and built when the first request comes: a process
 * that only works, or is only called, never waits for it.
 */
import { Effect, Layer, type ManagedRuntime, Scope } from "effect"
import type { Handler } from "../mount/index.ts"
import type { Options } from "../Options.ts"
import type { Ground } from "./Ground.ts"
import type { Owners } from "./Workspaces.ts"

/** What the API stands on. */
interface Standing {
  readonly options: Options
  readonly owners: Owners
  readonly runtime: ManagedRuntime.ManagedRuntime<Ground, unknown>
}

/** The API as hosts call it. */
interface Doors {
  readonly fetch: (request: Request) => Promise<Response>
  readonly handler: Handler
}

const build = Effect.fnUntraced(function* ({ options, owners }: Standing) {
  const { authenticate, prefix } = options
  const [http, mounting, authenticator, vitals, node] = yield* Effect.promise(() =>
    Promise.all([
      import("@verbatim/http"),
      import("../mount/index.ts"),
      import("./HostAuthenticator.ts"),
      import("./HostVitals.ts"),
      import("@effect/platform-node/NodeHttpServer")
    ])
  )
  const identified =
    authenticate === undefined ? http.Authenticator.keys : authenticator.layer(authenticate, owners)
  const context = yield* Layer.build(
    Layer.mergeAll(identified, vitals.layer, node.layerHttpServices)
  )
  const mounted = yield* mounting
    .mount(prefix === undefined ? {} : { prefix })
    .pipe(Effect.provideContext(context))
  return { fetch: mounting.toFetch(mounted), handler: mounting.toHandler(mounted) }
})

/** What is answered when there is nothing that could answer: as the API says it. */
const closed = (): Response =>
  Response.json({ error: { code: 503, message: "Service Unavailable" } }, { status: 503 })

/** Makes the doors. Whoever comes first waits for the loading, and nobody fails with another. */
export const makeApi = (standing: Standing): Doors => {
  const { runtime } = standing
  let built: Promise<Doors> | undefined
  const load = (): Promise<Doors> => {
    built ??= runtime
      .runPromise(build(standing).pipe(Scope.provide(runtime.scope)))
      .catch((fault: unknown) => {
        built = undefined
        throw fault
      })
    return built
  }
  return {
    fetch: (request) =>
      load().then(
        (doors) => doors.fetch(request),
        () => closed()
      ),
    handler: (request, response, next) => {
      load().then(
        (doors) => doors.handler(request, response, next),
        (fault: unknown) => {
          if (next !== undefined) return next(fault)
          response.writeHead(503, { "content-type": "application/json" })
          closed()
            .text()
            .then((body) => response.end(body))
        }
      )
    }
  }
}
