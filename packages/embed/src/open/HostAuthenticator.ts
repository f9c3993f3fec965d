/** Identifies the senders of requests with the host's `authenticate`. */
import { IncomingMessage } from "node:http"
import { Authenticator, AuthenticatorError, Unauthenticated } from "@verbatim/http"
import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidOptions } from "../Errors.ts"
import { listPaths } from "../mount/Mounted.ts"
import type { Authenticate, Rejection } from "../Options.ts"
import { InvalidName, type OwnerLookup } from "./OwnerLookup.ts"
import { readCaller } from "./readCaller.ts"

/** The default message for a rejected sender. */
const defaultSentence = "Not signed in"

/** The longest message that users can read easily, in characters. */
const sentenceMax = 300

/** Shortens the host's message to one line, because it can become part of a header. */
const sentenceOf = ({ message }: Rejection): string =>
  message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, sentenceMax) || defaultSentence

const refuse = (sentence: string) => new Unauthenticated({ reason: "Unknown", sentence })

/** Matches a host name or address with an optional port. Other values of the header are ignored. */
const plainHost = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Returns a request's path and query, even if its target is an absolute URL. */
const targetOf = (source: IncomingMessage): string => {
  const [target = "/"] = listPaths(source, source.url ?? "/")
  if (target.startsWith("/")) return target
  const { pathname, search } = URL.parse(target) ?? { pathname: "/", search: "" }
  return pathname + search
}

/**
 * Builds the URL of a request. In Node, the host name comes from a header, and is used only if it
 * is valid.
 */
const toUrl = ({ headers, originalUrl, source }: HttpServerRequest.HttpServerRequest): URL => {
  if (!(source instanceof IncomingMessage)) return new URL(originalUrl)
  const scheme = Reflect.get(source.socket, "encrypted") === true ? "https" : "http"
  const { host = "" } = headers
  const named = plainHost.test(host) ? URL.parse(`${scheme}://${host}`) : null
  return new URL(`${named?.origin ?? `${scheme}://localhost`}${targetOf(source)}`)
}

/** Returns the request without its body, because Verbatim reads the body itself. */
export const toRequest = (request: HttpServerRequest.HttpServerRequest): Request =>
  new Request(toUrl(request), { method: request.method, headers: { ...request.headers } })

/** Rejects a request because the host made a mistake. Only the log explains the mistake. */
const refuseFault = (
  fault: unknown
): Effect.Effect<never, AuthenticatorError | Unauthenticated> => {
  if (fault instanceof Unauthenticated) return Effect.fail(fault)
  return fault instanceof InvalidOptions || fault instanceof InvalidName
    ? Effect.andThen(
        Effect.logError(`The result of authenticate is invalid: ${fault.message}`),
        Effect.fail(refuse(defaultSentence))
      )
    : Effect.fail(new AuthenticatorError({ cause: fault }))
}

/**
 * Provides an authenticator that calls the host's function. Workspaces are created on first use.
 */
export const layer = (
  authenticate: Authenticate,
  owners: OwnerLookup
): Layer.Layer<Authenticator> =>
  Layer.succeed(Authenticator, {
    identify: ({ request }) =>
      Effect.gen(function* () {
        const answer = yield* Effect.tryPromise(async () => authenticate(toRequest(request)))
        const found = yield* Effect.try({ try: () => readCaller(answer), catch: (fault) => fault })
        if ("message" in found) return yield* refuse(sentenceOf(found))
        const { kind, scopes = null, user, workspace } = found
        const principal = yield* owners.find({ user, workspace })
        return { ...principal, kind, scopes }
      }).pipe(Effect.catch(refuseFault))
  })
