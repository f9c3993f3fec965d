/** Logging in with a key, the question who is logged in, and logging out. */
import { ByteSize, Effect, Redacted, Schema } from "effect"
import {
  HttpIncomingMessage,
  type HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import type { Authorize } from "./Access.ts"
import { refuse, toPageAnswer } from "./Answers.ts"
import { findForeign } from "./Origin.ts"
import { giveCookie, readCookie, takeCookie } from "./SessionCookie.ts"
import { type Keys, Sessions } from "./Sessions.ts"
import * as Who from "./Who.ts"

/** What the page sends. A key has at most 512 characters. */
const Shown = Schema.Struct({
  key: Schema.Trim.check(Schema.isMinLength(1), Schema.isMaxLength(512))
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

const unreachable = () =>
  Effect.succeed(refuse(503, "The database does not answer. Try again in a moment."))

const readKey = (request: Request) =>
  Effect.flatMap(request.json, readShown).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
    Effect.map(({ key }) => Redacted.make(key)),
    Effect.option
  )

/** The keys of the session with one more, which takes the place of its own kind. */
const makeJoin = Effect.gen(function* () {
  const { ofOperator, ofWorkspace } = yield* Who.make
  return Effect.fnUntraced(function* (before: Keys, key: Redacted.Redacted) {
    const keys: Keys | undefined =
      (yield* ofWorkspace(key)) !== null
        ? { ...before, workspace: key }
        : (yield* ofOperator(key)) !== null
          ? { ...before, operator: key }
          : undefined
    return keys
  })
})

/** Adds the route to a router. Where a host knows its users, nobody logs in. */
export const add = Effect.fnUntraced(function* (
  router: HttpRouter.HttpRouter,
  { authorize, path }: { readonly authorize: Authorize | undefined; readonly path: `/${string}` }
) {
  const sessions = yield* Sessions
  const who = yield* Who.make
  const join = yield* makeJoin

  const byHost = (request: Request, ask: Authorize) =>
    Effect.map(ask(request), (access) =>
      access === "none"
        ? refuse(401, "You may not use the console.")
        : answer(request, { by: "host", access, workspace: null, operator: null })
    )

  const look = Effect.fnUntraced(function* (request: Request) {
    const keys = yield* sessions.find(readCookie(request))
    if (keys === undefined) return refuse(401, "Log in with a key.")
    return answer(request, yield* who.view(keys))
  })

  const logIn = Effect.fnUntraced(function* (request: Request) {
    const key = yield* readKey(request)
    if (key._tag === "None") return refuse(400, "Paste a key.")
    const before = readCookie(request)
    const keys = yield* join((yield* sessions.find(before)) ?? {}, key.value)
    if (keys === undefined) {
      return refuse(403, "This server does not know that key. It may have been revoked.")
    }
    yield* sessions.close(before)
    return answer(request, yield* who.view(keys), yield* sessions.open(keys))
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
      WorkspaceDisabled: () =>
        Effect.succeed(refuse(403, "The workspace of this key is disabled.")),
      WorkspaceStoreError: unreachable
    })
  )
  yield* Effect.forEach(["GET", "POST", "DELETE"] as const, (method) =>
    router.add(method, path, handle)
  )
})
