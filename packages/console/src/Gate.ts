/**
 * The way from the page to the API: below the console's own folder, so that the cookie is sent, and
 * in this process. Who may pass is known by the session, or by the host; what passes is a request
 * of the API like any other, with the key that the page never had.
 */
import { Duration, Effect, Redacted } from "effect"
import { Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refuse, refuseGuest, sendUntil, toPageAnswer } from "./Answers.ts"
import { findForeign, pageHeader } from "./Origin.ts"
import { readCookie } from "./SessionCookie.ts"
import { type Keys, Sessions } from "./Sessions.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** What a request of the console may do: nothing, read, or read and change. */
export type Access = "none" | "read" | "write"

/** Says what a request may do. It is asked for each one, so it should be quick. */
export type Authorize = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Access>

/** Requests that read although they are sent with `POST`, by their paths. */
const readingPosts = /^\/v1\/(?:presets\/preview|(?:presets\/[^/]+\/)?resolve)$/

/** Whether a request changes nothing. */
const isReading = (method: string, path: string): boolean =>
  method === "GET" || method === "HEAD" || (method === "POST" && readingPosts.test(path))

/** Where the console and the API stand on a router, and who may pass. */
export interface GateOptions {
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
  if (access === "none") return Effect.fail(refuseGuest())
  const [path = ""] = url.split("?", 1)
  return access === "write" || isReading(method, path)
    ? Effect.void
    : Effect.fail(refuse(403, "You may look at everything here, and change nothing."))
}

/** How long somebody is still sent something whom the host lets look no more, at most. */
const recheckInterval = Duration.seconds(30)

/** A request as the API gets it. */
interface Passage {
  readonly request: Request
  /** Waits until whoever sent it may not have the answer any more. */
  readonly untilOver: Effect.Effect<void>
}

/** Waits until the host lets nobody pass with that request any more. */
const untilRefused = (isRefused: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.sleep(recheckInterval).pipe(
    Effect.andThen(isRefused),
    Effect.repeat({ until: (refused) => refused }),
    Effect.asVoid
  )

/** Makes what lets requests of the page pass to the API. */
export const make = ({ api, authorize, prefix }: GateOptions) =>
  Effect.map(Sessions, (sessions) => {
    const folder = `${prefix}/api`

    const pass = <E, R>(handled: Handled<E, R>, { request, untilOver }: Passage) =>
      Effect.map(
        Effect.provideService(handled, HttpServerRequest.HttpServerRequest, request),
        (response) => sendUntil(toPageAnswer(response), untilOver)
      )

    /** As the host says, who is asked again now and then while an answer is being sent. */
    const byHost = (request: Request, { ask, url }: { ask: Authorize; url: string }) => {
      // A host may decide before it gives an effect: it is asked anew each time.
      const judged = Effect.flatMap(
        Effect.suspend(() => ask(request)),
        (access) => judgeAccess(access, request.method, url)
      )
      const isRefused = Effect.match(judged, { onFailure: () => true, onSuccess: () => false })
      return Effect.as(judged, {
        request: request.modify({ url: api + url }),
        untilOver: untilRefused(isRefused)
      })
    }

    const bySession = Effect.fnUntraced(function* (request: Request, url: string) {
      const session = yield* sessions.find(readCookie(request))
      const key = session === undefined ? undefined : chooseKey(session.keys, request, url)
      if (session === undefined || key === undefined) {
        return yield* Effect.fail(refuse(401, "Log in with a key."))
      }
      const headers = Headers.set(
        Headers.remove(request.headers, "cookie"),
        "authorization",
        `Bearer ${Redacted.value(key)}`
      )
      return {
        request: request.modify({ url: api + url, headers }),
        untilOver: session.untilOver
      }
    })

    /** The request as the API gets it, or why it does not. */
    const judge = (request: Request, url: string): Effect.Effect<Passage, Response> => {
      const foreign = findForeign(request)
      if (foreign !== undefined) return Effect.fail(refuse(403, foreign))
      if (!passing.test(url)) return Effect.fail(refuse(404, "There is nothing here."))
      return authorize === undefined
        ? bySession(request, url)
        : byHost(request, { ask: authorize, url })
    }

    return <E, R>(handled: Handled<E, R>): Handled<E, R | Request> =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (!request.url.startsWith(`${folder}/`)) return handled
        return Effect.matchEffect(judge(request, request.url.slice(folder.length)), {
          onFailure: Effect.succeed,
          onSuccess: (passage): Handled<E, R> => pass(handled, passage)
        })
      })
  })
