/**
 * The way from the page to the API: below the console's own folder, so that the cookie is sent, and
 * in this process. Who may pass is known by the session, or by the host; what passes is a request
 * of the API like any other, with the key that the page never had.
 */
import { Effect, Redacted } from "effect"
import { Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type Access, type Authorize, isReading } from "./Access.ts"
import { refuse, toPageAnswer } from "./Answers.ts"
import { findForeign, pageHeader } from "./Origin.ts"
import { readCookie } from "./SessionCookie.ts"
import { type Keys, Sessions } from "./Sessions.ts"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Where the console and the API stand on a router. */
export interface Places {
  /** The folder of the console. */
  readonly prefix: `/${string}`
  /** The folder of the API; empty at the root. */
  readonly api: `/${string}` | ""
  readonly authorize: Authorize | undefined
}

/** What the page may ask for. */
const passing = /^\/(?:v1\/|health(?:\/ready)?(?:\?|$))/

/** What is an operator's, where the session has a key of a workspace too. */
const ofOperators = /^\/v1\/(?:workspaces|operators?|work)(?:[/?]|$)/

const chooseKey = ({ operator, workspace }: Keys, { headers }: Request, url: string) => {
  const wanted = headers[pageHeader]
  const isOperators = wanted === "operator" || (wanted !== "workspace" && ofOperators.test(url))
  return isOperators ? (operator ?? workspace) : (workspace ?? operator)
}

const judgeAccess = (access: Access, method: string, url: string) => {
  if (access === "none") return Effect.fail(refuse(401, "You may not use the console."))
  const [path = ""] = url.split("?", 1)
  return access === "write" || isReading(method, path)
    ? Effect.void
    : Effect.fail(refuse(403, "You may look at everything here, and change nothing."))
}

/** Makes what lets requests of the page pass to the API. */
export const make = ({ api, authorize, prefix }: Places) =>
  Effect.map(Sessions, (sessions) => {
    const folder = `${prefix}/api`

    const pass = <E, R>(handled: Handled<E, R>, request: Request) =>
      Effect.map(
        Effect.provideService(handled, HttpServerRequest.HttpServerRequest, request),
        toPageAnswer
      )

    /** The request as the API gets it, or why it does not. */
    const judge = Effect.fnUntraced(function* (request: Request, url: string) {
      const foreign = findForeign(request)
      if (foreign !== undefined) return yield* Effect.fail(refuse(403, foreign))
      if (!passing.test(url)) return yield* Effect.fail(refuse(404, "There is nothing here."))
      const moved = request.modify({ url: api + url })
      if (authorize !== undefined) {
        yield* judgeAccess(yield* authorize(request), request.method, url)
        return moved
      }
      const keys = yield* sessions.find(readCookie(request))
      const key = keys === undefined ? undefined : chooseKey(keys, request, url)
      if (key === undefined) return yield* Effect.fail(refuse(401, "Log in with a key."))
      const headers = Headers.set(
        Headers.remove(request.headers, "cookie"),
        "authorization",
        `Bearer ${Redacted.value(key)}`
      )
      return moved.modify({ headers })
    })

    return <E, R>(handled: Handled<E, R>): Handled<E, R | Request> =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (!request.url.startsWith(`${folder}/`)) return handled
        return Effect.matchEffect(judge(request, request.url.slice(folder.length)), {
          onFailure: Effect.succeed,
          onSuccess: (moved): Handled<E, R> => pass(handled, moved)
        })
      })
  })
