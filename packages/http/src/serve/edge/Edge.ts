/**
 * Guards every route. Each request must have exactly one host and a path that the router can read.
 * Each response has one of our formats, and the connection stays open until the client has had time
 * to read it.
 */
import { Cause, Context, Effect } from "effect"
import { HttpBody, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { unexpectedMessage } from "../../contract/Errors.ts"
import { drainAfter } from "../body/StreamedAnswer.ts"
import { makeErrorAnswer, readMessage } from "./ErrorAnswer.ts"
import { type FailureLog, retryHeaders } from "./FailureLog.ts"
import { refuseUnrouted, toReadable } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Returns the raw headers as Node provides them: a list in which names and values alternate. */
const readRawHeaders = ({ source }: Request): ReadonlyArray<unknown> => {
  const raw: unknown = Reflect.get(source, "rawHeaders")
  return Array.isArray(raw) ? raw : []
}

const countHeader = (request: Request, name: string): number => {
  const raw = readRawHeaders(request)
  let count = 0
  // In a list of raw headers, names and values alternate.
  for (let index = 0; index < raw.length; index += 2) {
    if (String(raw[index]).toLowerCase() === name) count += 1
  }
  return count
}

/**
 * Finds errors in the `Host` headers. Two `Host` headers are refused, because a proxy in front of
 * us may have used the other one. A missing `Host` header is refused if HTTP requires it (RFC 9112,
 * 3.2).
 */
const findHostFault = (request: Request): string | undefined => {
  const hosts = countHeader(request, "host")
  if (hosts > 1 || (request.headers.host ?? "").includes(",")) return "more than one Host header"
  const isRequired = Reflect.get(request.source, "httpVersion") === "1.1"
  return hosts === 0 && isRequired ? "no Host header" : undefined
}

/**
 * Only `100-continue` is supported (RFC 9110, 10.1.1). A client with a different expectation would
 * wait forever.
 */
const findExpectationFault = ({ headers: { expect } }: Request): string | undefined =>
  expect === undefined || expect.toLowerCase() === "100-continue"
    ? undefined
    : "its expectation is unknown"

/**
 * A request with two keys is refused: we would use only one key, and a proxy may have checked the
 * other one.
 */
const findKeyFault = (request: Request): string | undefined =>
  countHeader(request, "authorization") > 1 ? "more than one Authorization header" : undefined

/** Finds transfer codings other than `chunked`, because Node would ignore them (RFC 9112, 6.1). */
const findCodingFault = ({ headers }: Request): string | undefined =>
  (headers["transfer-encoding"] ?? "chunked").trim().toLowerCase() === "chunked"
    ? undefined
    : "its transfer encoding is unknown"

const isUnrouted = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

type Log = FailureLog["Service"]

/** Logs the cause with the path, but without the query and the body; the caller sees no details. */
const answerUnexpected = ({ report }: Log, { url }: Request, cause: Cause.Cause<unknown>) =>
  Effect.as(
    report({ what: "A request failed", cause }),
    HttpServerResponse.setHeaders(
      makeErrorAnswer(url, { status: 500, message: unexpectedMessage }),
      retryHeaders(cause)
    )
  )

/** Builds the response to a request without a route. */
type Refuse = (request: Request) => HttpServerResponse.HttpServerResponse

interface GuardOptions {
  readonly log: Log
  readonly refuse: Refuse
}

/** Formats a refusal, and drains the rest of the request's body. */
const endRefused = (request: Request, response: HttpServerResponse.HttpServerResponse) =>
  drainAfter(request, toPreferredForm(request, response))

/** Responds if handling failed, and handles the rest of a refused request's body. */
const finish = <E, R>(handled: Handled<E, R>, request: Request, { log, refuse }: GuardOptions) => {
  const end = (response: HttpServerResponse.HttpServerResponse) =>
    Effect.succeed(response.status < 400 ? response : endRefused(request, response))
  return Effect.matchCauseEffect(handled, {
    onSuccess: end,
    onFailure: (cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      return isUnrouted(cause)
        ? end(refuse(request))
        : Effect.flatMap(answerUnexpected(log, request, cause), end)
    }
  })
}

/** Creates a guard that checks requests and logs failures. */
export const makeGuard =
  (log: Log, refuse: Refuse = refuseUnrouted) =>
  <E, R>(handled: Handled<E, R>): Handled<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.withFiber(({ context }): Handled<E, R | Request> => {
      const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      const fault =
        findHostFault(request) ??
        findKeyFault(request) ??
        findCodingFault(request) ??
        findExpectationFault(request)
      if (fault !== undefined) {
        const message = `Invalid request: ${fault}`
        const refusal = makeErrorAnswer(request.url, { status: 400, message })
        // Closes the connection, because the client and the server could disagree about where this
        // request ends.
        const last = HttpServerResponse.setHeader(refusal, "connection", "close")
        return Effect.succeed(endRefused(request, last))
      }
      const url = toReadable(request.url)
      const routed =
        url === request.url
          ? handled
          : Effect.provideService(
              handled,
              HttpServerRequest.HttpServerRequest,
              request.modify({ url })
            )
      return finish(routed, request, { log, refuse })
    })

// Problem details (RFC 9457), for clients that prefer them. All other clients get errors in the
// format of the family of the API.

const problemType = "application/problem+json"

/** Titles for the generic type: the reason phrases of the statuses (RFC 9110, 15). */
const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable"
}

/**
 * Whether an `Accept` header names the type with a weight above 0. `*` is not enough, because
 * clients that do not know the type send it too.
 */
const namesProblems = (accept = ""): boolean =>
  accept.split(",").some((member) => {
    const [name, ...parameters] = member.split(";").map((part) => part.trim().toLowerCase())
    return name === problemType && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each))
  })

/** Converts an error, keeping its headers, if the request accepts problem details. */
const toPreferredForm = (
  { headers }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body, status } = response
  if (body._tag !== "Uint8Array" || !body.contentType.startsWith("application/json"))
    return response
  const varying = HttpServerResponse.setHeader(response, "vary", "Accept")
  if (!namesProblems(headers.accept)) return varying
  const detail = readMessage(new TextDecoder().decode(body.body))
  if (detail === undefined) return response
  const problem = { type: "about:blank", title: titles[status] ?? "Error", status, detail }
  return HttpServerResponse.setBody(varying, HttpBody.jsonUnsafe(problem, problemType))
}
