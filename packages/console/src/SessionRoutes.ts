/** Routes for logging in with a key, reading the current session, and logging out. */
import { LastUsedTracker, RequestLimits, type TooManyRequests } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { ByteSize, Clock, Duration, Effect, Redacted, Schema } from "effect"
import {
  HttpIncomingMessage,
  type HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import type { Authorize } from "./ApiProxy.ts"
import { checkOrigin, clearCookie, hasTwoSessions, readCookie, setCookie } from "./PageRequest.ts"
import { refuse, refuseHostUser, toPageResponse } from "./Responses.ts"
import * as SessionKeys from "./SessionKeys.ts"
import { type Keys, Sessions } from "./Sessions.ts"

/**
 * The body of a login request. A key has at most 512 characters. `adds` must be set to extend the
 * current session. Otherwise a login starts with an empty session, even if a cookie was sent.
 */
const LoginBody = Schema.Struct({
  key: Schema.Trim.check(Schema.isMinLength(1), Schema.isMaxLength(512)),
  adds: Schema.optionalKey(Schema.Boolean)
})

const decodeLogin = Schema.decodeUnknownEffect(LoginBody)

const bodyBytesMax = ByteSize.kibibytes(4)

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const answer = (request: Request, view: SessionKeys.SessionView, name?: string): Response =>
  toPageResponse(
    HttpServerResponse.jsonUnsafe(
      view,
      name === undefined ? {} : { headers: { "set-cookie": setCookie(request, name) } }
    )
  )

const twoSessions =
  "Your browser has two session cookies of this console, one of which was set by someone " +
  "else. Delete the cookies of this site, then log in."

const tooManySessions =
  "This workspace has its maximum number of sessions. Log out where you no longer need one."

/** The refusal contains a sentence for the page, and a header that says when a client may retry. */
const refuseTooMany = ({ retryAfter }: TooManyRequests): Response =>
  HttpServerResponse.setHeader(
    refuse(429, "Too many logins with that key. Try again in a moment."),
    "retry-after",
    String(Math.max(1, Math.ceil(Duration.toSeconds(retryAfter))))
  )

const unreachable = () =>
  Effect.succeed(refuse(503, "The database does not answer. Try again in a moment."))

const readLogin = (request: Request) =>
  Effect.flatMap(request.json, decodeLogin).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
    Effect.map(({ adds = false, key }) => ({ adds, key: Redacted.make(key) })),
    Effect.option
  )

/** Admits a login like any other request made with the key, and records that the key was used. */
const makeAdmit = Effect.map(Effect.all([RequestLimits, LastUsedTracker]), ([limits, uses]) => {
  const noteUse = ({ keyId }: Principal) => (keyId === undefined ? Effect.void : uses.note(keyId))
  return (found: SessionKeys.KeyOwner) =>
    found.kind === "operator"
      ? uses.noteOperator(found.key.id)
      : Effect.andThen(limits.admit(found.caller), noteUse(found.caller))
})

/** Failed logins are logged at most once a minute, with a count. */
const failureInterval = Duration.toMillis("1 minute")

/** Returns an effect that logs a failed login. */
export const makeLogFailure = (): Effect.Effect<void> => {
  let loggedAt = Number.NEGATIVE_INFINITY
  let count = 0
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    count += 1
    if (now - loggedAt < failureInterval) return Effect.void
    const logins = count === 1 ? "A login" : `${count} logins`
    loggedAt = now
    count = 0
    return Effect.logWarning(`${logins} to the console failed: the key is unknown`)
  })
}

/** Logs in with a key, and adds it to the current session if the page requests this. */
const makeLogIn = Effect.gen(function* () {
  const sessions = yield* Sessions
  const sessionKeys = yield* SessionKeys.make
  const admit = yield* makeAdmit
  const logFailure = makeLogFailure()

  /** The current session's keys, if the page asks to extend it. */
  const keysBefore = (adds: boolean, cookie: string): Effect.Effect<Keys> =>
    adds ? Effect.map(sessions.find(cookie), (session) => session?.keys ?? {}) : Effect.succeed({})

  return Effect.fnUntraced(function* (request: Request) {
    if (hasTwoSessions(request)) return refuse(409, twoSessions)
    const login = yield* readLogin(request)
    if (login._tag === "None") return refuse(400, "Paste a key.")
    const { adds, key } = login.value
    const found = yield* sessionKeys.find(key)
    if (found === undefined) {
      yield* logFailure
      return refuse(403, "This server does not know that key. It may have been revoked.")
    }
    yield* admit(found)
    const cookie = readCookie(request)
    const keys: Keys = { ...(yield* keysBefore(adds, cookie)), [found.kind]: key }
    const view = yield* sessionKeys.view(keys)
    const owner = SessionKeys.toOwner(found)
    const name = yield* sessions.open({ keys, owner, replaces: cookie })
    if (name === undefined) return refuse(429, tooManySessions)
    const { id = null } = (yield* sessions.find(name)) ?? {}
    return answer(request, { ...view, id }, name)
  })
})

const byHost = (request: Request, authorize: Authorize) =>
  Effect.map(authorize(request), (access) =>
    access === "none"
      ? refuseHostUser()
      : answer(request, { id: null, by: "host", access, workspace: null, operator: null })
  )

/** Adds the routes to a router. If the host has its own login, users cannot log in with a key. */
export const add = Effect.fnUntraced(function* (
  router: HttpRouter.HttpRouter,
  { authorize, path }: { readonly authorize: Authorize | undefined; readonly path: `/${string}` }
) {
  const sessions = yield* Sessions
  const sessionKeys = yield* SessionKeys.make
  const logIn = yield* makeLogIn

  const readSession = Effect.fnUntraced(function* (request: Request) {
    const name = readCookie(request)
    const session = yield* sessions.find(name)
    if (session === undefined) return refuse(401, "Log in with a key.")
    const view = yield* sessionKeys.view(session.keys)
    const isValid =
      (view.workspace !== null || session.keys.workspace === undefined) &&
      (view.operator !== null || session.keys.operator === undefined)
    if (isValid) return answer(request, { ...view, id: session.id })
    // Ends the session, because one of its keys was revoked or has expired.
    yield* sessions.close(name)
    return refuse(401, "Log in with a key.")
  })

  const logOut = (request: Request) =>
    Effect.as(
      sessions.close(readCookie(request)),
      toPageResponse(HttpServerResponse.empty({ headers: { "set-cookie": clearCookie(request) } }))
    )

  const handle = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const refusal = checkOrigin(request)
    if (refusal !== undefined) return Effect.succeed(refuse(403, refusal))
    if (authorize !== undefined) return byHost(request, authorize)
    if (request.method === "POST") return logIn(request)
    return request.method === "DELETE" ? logOut(request) : readSession(request)
  }).pipe(
    Effect.catchTags({
      TooManyRequests: (excess) => Effect.succeed(refuseTooMany(excess)),
      WorkspaceDisabled: () =>
        Effect.succeed(refuse(403, "The workspace of this key is disabled.")),
      WorkspaceStoreError: unreachable
    })
  )
  yield* Effect.forEach(["GET", "POST", "DELETE"] as const, (method) =>
    router.add(method, path, handle)
  )
})
