/**
 * The API of an opened Verbatim. It is loaded and built when the first request comes: a process
 * that only works, or is only called, never waits for it.
 */

import type { IncomingMessage } from "node:http"
import { load } from "@verbatim/adapters/packages"
import { Effect, Layer, type ManagedRuntime, Scope } from "effect"
import { Closed, InvalidInput } from "../Errors.ts"
import type { Handler } from "../mount/index.ts"
import type { Options } from "../Options.ts"
import type { Ground } from "./Ground.ts"
import { isObject } from "./Judgement.ts"
import type { Owners } from "./Workspaces.ts"

/** What the API stands on. */
interface Standing {
  readonly options: Options
  readonly owners: Owners
  readonly runtime: ManagedRuntime.ManagedRuntime<Ground, unknown>
  /** From when on nothing here answers. */
  readonly isClosing: () => boolean
}

/** The API as hosts call it. */
interface Doors {
  readonly fetch: (request: Request) => Promise<Response>
  readonly handler: Handler
}

const httpServer = { name: "@effect/platform-node", purpose: "answer requests over HTTP" }

/** The console is loaded only where a host wants it. */
const mountBeside = Effect.fnUntraced(function* (
  place: { readonly prefix: Options["prefix"] | "" },
  wanted: true | Exclude<Options["console"], boolean | undefined>
) {
  const [{ mountWith }, { beside }] = yield* Effect.promise(() =>
    Promise.all([import("../mount/Mounted.ts"), import("./HostConsole.ts")])
  )
  return yield* mountWith({ prefix: place.prefix ?? "" }, beside(wanted))
})

const build = Effect.fnUntraced(function* ({ options, owners }: Standing) {
  const { authenticate, console: wanted, prefix = "" } = options
  const node = yield* load(httpServer, () => import("@effect/platform-node/NodeHttpServer")).pipe(
    // Whoever asks is told nothing of it.
    Effect.tapError(({ message }) => Effect.logError(message)),
    Effect.orDie
  )
  const [http, mounting, authenticator, vitals] = yield* Effect.promise(() =>
    Promise.all([
      import("@verbatim/http"),
      import("../mount/index.ts"),
      import("./HostAuthenticator.ts"),
      import("./HostVitals.ts")
    ])
  )
  const identified =
    authenticate === undefined ? http.Authenticator.keys : authenticator.layer(authenticate, owners)
  const context = yield* Layer.build(
    Layer.mergeAll(identified, vitals.layer, node.layerHttpServices)
  )
  const mounted = yield* (
    wanted === undefined || wanted === false
      ? mounting.mount(prefix === "" ? {} : { prefix })
      : mountBeside({ prefix }, wanted)
  ).pipe(Effect.provideContext(context))
  return { fetch: mounting.toFetch(mounted), handler: mounting.toHandler(mounted) }
})

/** What is answered when there is nothing that could answer. */
const refuse = async (url: string, prefix: string | undefined): Promise<Response> =>
  (await import("./ClosedAnswer.ts")).closedAnswer(url, prefix)

const isRequest = (given: unknown): given is Request =>
  isObject(given) &&
  typeof Reflect.get(given, "url") === "string" &&
  isObject(Reflect.get(given, "headers"))

const notRequest = () =>
  new InvalidInput({ code: "InvalidArgument", message: "request: must be a Request" })

/** Whether a request is for us, as far as that can be told before the API is loaded. */
const isBelow = (request: IncomingMessage, prefix: string | undefined): boolean =>
  prefix === undefined ||
  [request.url, Reflect.get(request, "originalUrl")].some((url) => String(url).startsWith(prefix))

/** Makes the doors. Whoever comes first waits for the loading, and nobody fails with another. */
export const makeApi = (standing: Standing): Doors => {
  const { isClosing, options, runtime } = standing
  let built: Promise<Doors> | undefined
  const load = (): Promise<Doors> => {
    if (isClosing()) return Promise.reject(new Closed())
    built ??= runtime
      .runPromise(build(standing).pipe(Scope.provide(runtime.scope)))
      .catch((fault: unknown) => {
        built = undefined
        throw fault
      })
    return built
  }
  return {
    fetch: async (request) => {
      if (!isRequest(request)) throw notRequest()
      return load().then(
        (doors) => doors.fetch(request),
        () => refuse(request.url, options.prefix)
      )
    },
    handler: (request, response, next) => {
      load().then(
        (doors) => doors.handler(request, response, next),
        () => {
          if (next !== undefined && !isBelow(request, options.prefix)) return next()
          refuse(String(Reflect.get(request, "originalUrl") ?? request.url), options.prefix)
            .then((answer) => answer.text())
            .then((body) =>
              response.writeHead(503, { "content-type": "application/json" }).end(body)
            )
        }
      )
    }
  }
}
