/** Logging in with a key, the question who is logged in, and logging out. */
import { LastUsedTracker, RequestLimits, type TooManyRequests } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { ByteSize, Clock, Duration, Effect, Redacted, Schema } from "effect"
import {
  HttpIncomingMessage,
  type HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { refuse, refuseGuest, toPageAnswer } from "./Answers.ts"
import type { Authorize } from "./Gate.ts"
import { findForeign } from "./Origin.ts"
import { giveCookie, hasTwo, readCookie, takeCookie } from "./SessionCookie.ts"
import { type Keys, Sessions } from "./Sessions.ts"
import * as Who from "./Who.ts"

/**
 * What the page sends. A key has at most 512 characters. Whether it is one more for the session
 * that there is has to be said: a login begins with nothing, whatever cookie came with it.
 */
const Shown = Schema.Struct({
  key: Schema.Trim.check(Schema.isMinLength(1), Schema.isMaxLength(512)),
  adds: Schema.optionalKey(Schema.Boolean)
})

const readShown = Schema.decodeUnknownEffect(Shown)

const bodyBytesMax = ByteSize.kibibytes(4)

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const answer = (request: Request, view: Who.SessionView, name?: string): Response =>
  toPageAnswer(
    HttpServerResponse.jsonUnsafe(
      view,
      name === undefined ? {} : { headers: { "set-cookie": giveCookie(request, name) } }
    )
  )

const twoSessions =
  "Your browser has two sessions of this console, one of which somebody else has put there. " +
  "Delete the cookies of this site, then log in."

const noRoom = "This workspace has as many sessions as it may. Log out where you need none."

/** In the words of the page; the header is for whoever waits. */
const refuseForNow = ({ retryAfter }: TooManyRequests): Response =>
  HttpServerResponse.setHeader(
    refuse(429, "Too many logins with that key. Try again in a moment."),
    "retry-after",
    String(Math.max(1, Math.ceil(Duration.toSeconds(retryAfter))))
  )

const unreachable = () =>
  Effect.succeed(refuse(503, "The database does not answer. Try again in a moment."))

const readLogin = (request: Request) =>
  Effect.flatMap(request.json, readShown).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
    Effect.map(({ adds = false, key }) => ({ adds, key: Redacted.make(key) })),
    Effect.option
  )

/** Lets a login in as any other request with its key, and notes the use. */
const makeAdmit = Effect.map(Effect.all([RequestLimits, LastUsedTracker]), ([limits, uses]) => {
  const noteUse = ({ keyId }: Principal) => (keyId === undefined ? Effect.void : uses.note(keyId))
  return (found: Who.Found) =>
    found.kind === "operator"
      ? uses.noteOperator(found.key.id)
      : Effect.andThen(limits.admit(found.caller), noteUse(found.caller))
})

/** At most one line in a minute tells of logins that failed, and how many there were. */
const failureInterval = Duration.toMillis("1 minute")

/** Tells of a login that failed. */
export const makeTellFailure = (): Effect.Effect<void> => {
  let toldAt = Number.NEGATIVE_INFINITY
  let count = 0
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    count += 1
    if (now - toldAt < failureInterval) return Effect.void
    const logins = count === 1 ? "A login" : `${count} logins`
    toldAt = now
    count = 0
    return Effect.logWarning(`${logins} to the console failed: the key is unknown`)
  })
}

/** Logs in with a key, and adds it to the session where the page asks for that. */
const makeLogIn = Effect.gen(function* () {
  const sessions = yield* Sessions
  const who = yield* Who.make
  const admit = yield* makeAdmit
  const tellFailure = makeTellFailure()

  /** What the session has already, where the page asks for that. */
  const keysBefore = (adds: boolean, cookie: string): Effect.Effect<Keys> =>
    adds ? Effect.map(sessions.find(cookie), (session) => session?.keys ?? {}) : Effect.succeed({})

  return Effect.fnUntraced(function* (request: Request) {
    if (hasTwo(request)) return refuse(409, twoSessions)
    const shown = yield* readLogin(request)
    if (shown._tag === "None") return refuse(400, "Paste a key.")
    const { adds, key } = shown.value
    const found = yield* who.find(key)
    if (found === undefined) {
      yield* tellFailure
      return refuse(403, "This server does not know that key. It may have been revoked.")
    }
    yield* admit(found)
    const cookie = readCookie(request)
    const keys: Keys = { ...(yield* keysBefore(adds, cookie)), [found.kind]: key }
    const view = yield* who.view(keys, found)
    const name = yield* sessions.open({ keys, holder: Who.toHolder(found), replaces: cookie })
    return name === undefined ? refuse(429, noRoom) : answer(request, view, name)
  })
})

const byHost = (request: Request, ask: Authorize) =>
  Effect.map(ask(request), (access) =>
    access === "none"
      ? refuseGuest()
      : answer(request, { by: "host", access, workspace: null, operator: null })
  )

/** Adds the route to a router. Where a host knows its users, nobody logs in. */
export const add = Effect.fnUntraced(function* (
  router: HttpRouter.HttpRouter,
  { authorize, path }: { readonly authorize: Authorize | undefined; readonly path: `/${string}` }
) {
  const sessions = yield* Sessions
  const who = yield* Who.make
  const logIn = yield* makeLogIn

  const look = Effect.fnUntraced(function* (request: Request) {
    const session = yield* sessions.find(readCookie(request))
    if (session === undefined) return refuse(401, "Log in with a key.")
    return answer(request, yield* who.view(session.keys))
  })

  const logOut = (request: Request) =>
    Effect.as(
      sessions.close(readCookie(request)),
      toPageAnswer(HttpServerResponse.empty({ headers: { "set-cookie": takeCookie(request) } }))
    )

  const handle = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const foreign = findForeign(request)
    if (foreign !== undefined) return Effect.succeed(refuse(403, foreign))
    if (authorize !== undefined) return byHost(request, authorize)
    if (request.method === "POST") return logIn(request)
    return request.method === "DELETE" ? logOut(request) : look(request)
  }).pipe(
    Effect.catchTags({
      TooManyRequests: (excess) => Effect.succeed(refuseForNow(excess)),
      WorkspaceDisabled: () =>
        Effect.succeed(refuse(403, "The workspace of this key is disabled.")),
      WorkspaceStoreError: unreachable
    })
  )
  yield* Effect.forEach(["GET", "POST", "DELETE"] as const, (method) =>
    router.add(method, path, handle)
  )
})
