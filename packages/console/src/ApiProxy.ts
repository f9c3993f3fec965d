/**
 * Forwards the page's requests to the API in the same process. The page sends requests to paths in
 * the console's own folder, so that the browser adds the cookie. The session or the host decides
 * whether a request is allowed. An allowed request becomes an ordinary API request with a key that
 * the page itself never receives.
 */
import { Duration, Effect, Redacted } from "effect"
import { Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { checkOrigin, pageHeader, readCookie } from "./PageRequest.ts"
import { refuse, refuseHostUser, sendUntil, toPageResponse } from "./Responses.ts"
import * as SessionKeys from "./SessionKeys.ts"
import { type Keys, Sessions } from "./Sessions.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** The access that the sender of a console request has: none, read, or read and write. */
export type Access = "none" | "read" | "write"

/**
 * Decides which access a request has. This function is called for each request, so it should be
 * fast.
 */
export type Authorize = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Access>

/** Paths for requests that only read, although they are sent with `POST`. */
const readOnlyPosts = /^\/v1\/(?:presets\/preview|(?:presets\/[^/]+\/)?resolve)$/

const isReadOnly = (method: string, path: string): boolean =>
  method === "GET" || method === "HEAD" || (method === "POST" && readOnlyPosts.test(path))

/** The path prefixes of the console and the API on a router, and the host's `authorize`. */
export interface ApiProxyOptions {
  /** The path prefix of the console. */
  readonly prefix: `/${string}`
  /** The path prefix of the API. Empty for the root. */
  readonly api: `/${string}` | ""
  readonly authorize: Authorize | undefined
}

/** The API paths that the page can call. */
const allowedPaths = /^\/(?:v1\/|health(?:\/ready)?(?:\?|$))/

/** Paths that use the operator key even if the session also has a workspace key. */
const operatorPaths = /^\/v1\/(?:workspaces|operators?|work)(?:[/?]|$)/

/** Reads the page's header: the wanted key, and the id of the session that the page knows. */
const readPageHeader = ({ headers }: Request): ReadonlyArray<string | undefined> =>
  headers[pageHeader]?.split(" ", 2) ?? []

const chooseKey = ({ operator, workspace }: Keys, request: Request, url: string) => {
  const [wanted] = readPageHeader(request)
  const isForOperator = wanted === "operator" || (wanted !== "workspace" && operatorPaths.test(url))
  return isForOperator ? (operator ?? workspace) : (workspace ?? operator)
}

const checkAccess = (access: Access, method: string, url: string) => {
  if (access === "none") return Effect.fail(refuseHostUser())
  const [path = ""] = url.split("?", 1)
  return access === "write" || isReadOnly(method, path)
    ? Effect.void
    : Effect.fail(refuse(403, "You have read-only access here."))
}

/** How long a response may continue after the host has withdrawn access. */
const recheckInterval = Duration.seconds(30)

/** The statuses that the API returns when it refuses a key. */
const refusals: ReadonlySet<number> = new Set([401, 403])

/** A request as the API receives it. */
interface ProxiedRequest {
  readonly request: Request
  /** Replaces the API's refusal if the session's key is no longer valid. */
  readonly checkRefusal: (refused: Response) => Effect.Effect<Response>
  /** Waits until the sender loses access to the response. */
  readonly untilEnded: Effect.Effect<void>
}

/** Waits until the host no longer allows the request. */
const untilRefused = (isRefused: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.sleep(recheckInterval).pipe(
    Effect.andThen(isRefused),
    Effect.repeat({ until: (refused) => refused }),
    Effect.asVoid
  )

/** Passes a request to the API, and returns the response in the form that the page needs. */
const forward = <E, R>(
  handled: Handled<E, R>,
  { checkRefusal, request, untilEnded }: ProxiedRequest
) =>
  Effect.provideService(handled, HttpServerRequest.HttpServerRequest, request).pipe(
    Effect.flatMap((response) =>
      refusals.has(response.status) ? checkRefusal(response) : Effect.succeed(response)
    ),
    Effect.map((response) => sendUntil(toPageResponse(response), untilEnded))
  )

/**
 * Calls the host's `authorize` at the start, and then every 30 seconds while a response is being
 * sent.
 */
const byHost = (request: Request, given: { api: string; decide: Authorize; url: string }) => {
  const { api, decide, url } = given
  // Each check calls `authorize` again, because a host may decide before it returns the effect.
  const checked = Effect.flatMap(
    Effect.suspend(() => decide(request)),
    (access) => checkAccess(access, request.method, url)
  )
  const isRefused = Effect.match(checked, { onFailure: () => true, onSuccess: () => false })
  return Effect.as(checked, {
    request: request.modify({ url: api + url }),
    checkRefusal: Effect.succeed<Response>,
    untilEnded: untilRefused(isRefused)
  })
}

/** Creates the middleware that forwards the page's requests to the API. */
export const make = ({ api, authorize, prefix }: ApiProxyOptions) =>
  Effect.map(Effect.all([Sessions, SessionKeys.make]), ([sessions, sessionKeys]) => {
    const folder = `${prefix}/api`

    /**
     * Ends a session whose key was revoked or has expired, so that the page asks for a login again.
     */
    const endIfDead = (name: string, key: Redacted.Redacted) => (refused: Response) =>
      Effect.matchEffect(sessionKeys.find(key), {
        onFailure: () => Effect.succeed(refused),
        onSuccess: (found) =>
          found === undefined
            ? Effect.as(sessions.close(name), refuse(401, "The key is no longer valid."))
            : Effect.succeed(refused)
      })

    const bySession = Effect.fnUntraced(function* (request: Request, url: string) {
      const name = readCookie(request)
      const session = yield* sessions.find(name)
      const key = session === undefined ? undefined : chooseKey(session.keys, request, url)
      if (session === undefined || key === undefined) {
        return yield* Effect.fail(refuse(401, "Log in with a key."))
      }
      const [, id = session.id] = readPageHeader(request)
      if (id !== session.id) {
        return yield* Effect.fail(refuse(401, "You changed the key in another window."))
      }
      const headers = Headers.set(
        Headers.remove(request.headers, "cookie"),
        "authorization",
        `Bearer ${Redacted.value(key)}`
      )
      return {
        request: request.modify({ url: api + url, headers }),
        checkRefusal: endIfDead(name, key),
        untilEnded: session.untilEnded
      }
    })

    /** Returns the request as the API receives it; fails with the refusal. */
    const authorizeRequest = (
      request: Request,
      url: string
    ): Effect.Effect<ProxiedRequest, Response> => {
      const refusal = checkOrigin(request)
      if (refusal !== undefined) return Effect.fail(refuse(403, refusal))
      if (!allowedPaths.test(url)) return Effect.fail(refuse(404, "There is nothing here."))
      return authorize === undefined
        ? bySession(request, url)
        : byHost(request, { api, decide: authorize, url })
    }

    return <E, R>(handled: Handled<E, R>): Handled<E, R | Request> =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (!request.url.startsWith(`${folder}/`)) return handled
        return Effect.matchEffect(authorizeRequest(request, request.url.slice(folder.length)), {
          onFailure: Effect.succeed,
          onSuccess: (proxied): Handled<E, R> => forward(handled, proxied)
        })
      })
  })
