/**
 * The API of an opened Verbatim. The API is loaded and built on the first call, so that a worker
 * process never waits for it.
 */
import type { IncomingMessage } from "node:http"
import { load } from "@verbatim/adapters/packages"
import type { Prefix } from "@verbatim/http"
import { Effect, Layer, type ManagedRuntime, Scope } from "effect"
import { InvalidOptions } from "../Errors.ts"
import type { Handler } from "../mount/index.ts"
import type { Options } from "../Options.ts"
import type { OwnRequests, Sent } from "./HostRequests.ts"
import type { HostServices } from "./hostAdapters.ts"
import type { OwnerLookup } from "./OwnerLookup.ts"
import { isObject } from "./validateOptions.ts"

/** The parts that the API is built from. */
interface ApiContext {
  readonly options: Options
  readonly owners: OwnerLookup
  readonly runtime: ManagedRuntime.ManagedRuntime<HostServices, unknown>
  /** A signal that is aborted when Verbatim closes. */
  readonly closing: AbortSignal
}

/** The functions through which the host and its clients call the API. */
interface ApiEntries {
  /** Handles requests from the host's clients. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly handler: Handler
  /** Handles calls by the host itself. */
  readonly call: (request: Request, sent: Sent) => Promise<Response>
}

const httpServer = { name: "@effect/platform-node", purpose: "answer requests of node:http" }

/** Returns the error about the missing package that `handler` needs, if it is missing. */
export const findHandlerError = async (): Promise<InvalidOptions | undefined> => {
  try {
    import.meta.resolve("@effect/platform-node/NodeHttpServer")
    return undefined
  } catch {
    // In a bundle, only the import finds the package.
    const loaded = load(httpServer, () => import("@effect/platform-node/NodeHttpServer"))
    return Effect.runPromise(
      Effect.match(loaded, {
        onFailure: ({ message }) => new InvalidOptions({ code: "PackageMissing", message }),
        onSuccess: () => undefined
      })
    )
  }
}

/** Loads and mounts the console, if the host enabled it. */
const mountWithConsole = Effect.fnUntraced(function* (
  prefix: Prefix | "",
  wanted: true | Exclude<Options["console"], boolean | undefined>
) {
  const [{ mountWith }, { consoleRoutes }] = yield* Effect.promise(() =>
    Promise.all([import("../mount/Mounted.ts"), import("./HostConsole.ts")])
  )
  return yield* mountWith({ prefix }, consoleRoutes(wanted))
})

/** Builds the API with the services in the context. */
export const build = Effect.fnUntraced(function* ({
  options: { authenticate, console: wanted, mcp = false, prefix },
  owners
}: {
  readonly options: Pick<Options, "authenticate" | "console" | "mcp" | "prefix">
  readonly owners: OwnerLookup
}) {
  const [http, { mount, toFetch }, own] = yield* Effect.promise(() =>
    Promise.all([
      import("@verbatim/http"),
      import("../mount/Mounted.ts"),
      import("./HostRequests.ts")
    ])
  )
  const requests: OwnRequests = new WeakMap()
  const identified =
    authenticate === undefined
      ? http.Authenticator.keys
      : (yield* Effect.promise(() => import("./HostAuthenticator.ts"))).layer(authenticate, owners)
  const context = yield* Layer.build(
    Layer.merge(Layer.provide(own.authenticator(requests, owners), identified), own.surroundings)
  )
  const mounted = yield* (
    wanted === undefined || wanted === false
      ? mount(prefix === undefined ? {} : { prefix })
      : mountWithConsole(prefix ?? "", wanted)
  ).pipe(Effect.provideContext(context), Effect.provideService(http.ServesMcp, mcp))
  const answerOthers = toFetch(mounted)
  const answerOwn = toFetch({ ...mounted, answer: own.answering(requests, mounted.answer) })
  return {
    mounted,
    fetch: (request: Request) => {
      requests.delete(request)
      return answerOthers(request)
    },
    call: (request: Request, sent: Sent) => {
      requests.set(request, sent)
      return answerOwn(request)
    }
  }
})

const unavailable = { status: 503, message: "Service Unavailable" }

/** The response to the host's own calls, which gives the real reason. */
const closed = { status: 503, message: "Verbatim was closed" }

/**
 * Builds the response while Verbatim is unavailable or closed, in the error format of the path's
 * API.
 */
const refuse = async (
  url: string,
  prefix: string | undefined,
  error = unavailable
): Promise<Response> => {
  const { toErrorBody } = await import("@verbatim/http")
  const path = URL.parse(url, "http://localhost")?.pathname ?? "/"
  const isBelow = prefix !== undefined && path.startsWith(prefix)
  const body = toErrorBody(isBelow ? path.slice(prefix.length) : path, error)
  return Response.json(body, { status: error.status })
}

/**
 * Makes it safe to abandon a request's form. If Node's own form is cancelled while Node reads the
 * next part of a file, an unhandled rejection crashes the process. The client's own forms can be
 * cancelled, which also cancels the caller's stream.
 */
const withAbandonableForm = (request: Request): Request => {
  const type = request.headers.get("content-type") ?? ""
  const isNative = type.startsWith("multipart/form-data") && !type.includes("boundary=verbatim-")
  const { body: sent } = request
  if (!isNative || !sent || sent.locked) return request
  const reader = sent.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    }
  })
  // Frameworks have their own request classes, which the platform's constructor cannot copy.
  const { headers, method, signal, url } = request
  const options: RequestInit & { readonly duplex: "half" } = { body, duplex: "half" }
  const left = signal instanceof AbortSignal ? { signal } : {}
  return new Request(url, { ...options, method, headers: [...headers], ...left })
}

const isRequest = (given: unknown): given is Request =>
  isObject(given) &&
  typeof Reflect.get(given, "url") === "string" &&
  isObject(Reflect.get(given, "headers"))

/** Whether a request could belong to the API. This check does not load the API. */
const isBelow = (request: IncomingMessage, prefix: string | undefined): boolean =>
  prefix === undefined ||
  [request.url, Reflect.get(request, "originalUrl")].some((url) => String(url).startsWith(prefix))

/** Calls `make` once and caches its promise, unless the promise rejects. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => {
    made ??= make().catch((fault: unknown) => {
      made = undefined
      throw fault
    })
    return made
  }
}

/** Number of milliseconds for which a response may continue after Verbatim closes. */
const endingMillis = 1_000

/** Ends an endless response when Verbatim closes. */
interface Ending {
  readonly closing: AbortSignal
  readonly end: (controller: TransformStreamDefaultController) => void
}

const endWith = (response: Response, { closing, end }: Ending): Response => {
  const isEndless = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  if (!isEndless || response.body === null) return response
  const left = new AbortController()
  const leave = () => left.abort()
  // The transformer is in a variable, because some platforms' types do not declare `cancel`.
  const transformer = {
    start: (controller: TransformStreamDefaultController) => {
      const options = { once: true, signal: left.signal }
      if (closing.aborted) end(controller)
      else closing.addEventListener("abort", () => end(controller), options)
    },
    flush: leave,
    cancel: leave
  }
  const body = response.body.pipeThrough(new TransformStream(transformer))
  return new Response(body, response)
}

/**
 * Creates the functions that call the API. The first call loads the API; if loading fails, the next
 * call loads it again.
 */
export const makeApi = (apiContext: ApiContext): ApiEntries => {
  const { closing, options, runtime } = apiContext
  const run = <A>(effect: Effect.Effect<A, unknown, HostServices | Scope.Scope>): Promise<A> =>
    runtime.runPromise(effect.pipe(Scope.provide(runtime.scope)))
  const loadApi = once(() => run(build(apiContext)))
  // This module is imported here, because only hosts that use Node's HTTP server need its package.
  const loadHandler = once(async () => {
    const [{ mounted }, { toHandler }] = await Promise.all([loadApi(), import("../mount/index.ts")])
    return toHandler(mounted)
  })
  // This delay lets the stream end by itself after a complete event, unless its reader is slow.
  const cleanly: Ending = {
    closing,
    end: (controller) => void setTimeout(() => controller.terminate(), endingMillis).unref()
  }
  const withReason: Ending = { closing, end: (controller) => controller.error(closing.reason) }
  const whileOpen = <A>(made: () => Promise<A>): Promise<A> =>
    closing.aborted ? Promise.reject(closing.reason) : made()
  return {
    fetch: async (request) => {
      if (!isRequest(request)) throw new TypeError("fetch takes a Request")
      return whileOpen(loadApi).then(
        async (api) => endWith(await api.fetch(withAbandonableForm(request)), cleanly),
        () => refuse(request.url, options.prefix)
      )
    },
    call: (request, sent) =>
      whileOpen(loadApi).then(
        async (api) => endWith(await api.call(withAbandonableForm(request), sent), withReason),
        () => refuse(request.url, options.prefix, closing.aborted ? closed : unavailable)
      ),
    handler: (request, response, next) => {
      whileOpen(loadHandler).then(
        (handle) => handle(request, response, next),
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
