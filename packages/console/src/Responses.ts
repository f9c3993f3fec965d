/**
 * The headers for the console's responses. The headers limit which resources a page can load, and
 * which pages can show it in a frame.
 */
import { Effect, Schema, Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"

type Response = HttpServerResponse.HttpServerResponse

/**
 * The policy for documents: everything is loaded from the page's own origin, or is a recording that
 * the page has repaired. Documents contain no inline scripts or styles, and no script turns text
 * into markup.
 */
const pagePolicy = [
  "default-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/**
 * The policy for API responses, which are meant for scripts. Nothing in a response runs if a
 * browser opens it directly.
 */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin"
}

/** The headers for one of the page's files. */
export const pageHeaders = {
  ...always,
  "content-security-policy": pagePolicy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()"
}

/** Keeps a response out of caches if it is meant for one user or will soon change. */
export const noStore = { "cache-control": "no-store" }

/** Adds the headers that an API response needs for the page. */
export const toPageResponse = (response: Response): Response =>
  HttpServerResponse.setHeaders(response, {
    ...(response.headers["cache-control"] === undefined ? noStore : {}),
    ...always,
    "content-security-policy": apiPolicy
  })

/** Marks a refusal as coming from the console rather than from the API. */
const refusalHeader = "x-verbatim-console"

/** Refuses a request from the page, and explains the refusal in a sentence. */
export const refuse = (status: number, detail: string): Response =>
  HttpServerResponse.jsonUnsafe(
    { detail },
    { status, headers: { ...always, ...noStore, [refusalHeader]: "refused" } }
  )

/** Refuses a user to whom the host denies access, with or without a key. */
export const refuseHostUser = (): Response =>
  HttpServerResponse.setHeader(
    refuse(
      401,
      "You are not allowed to use this console. Log in to the service that it belongs to with an " +
        "account that is, or ask the operator of that service."
    ),
    refusalHeader,
    "host"
  )

/** The error that ends a stream because the client has lost access. */
class AccessEnded extends Schema.TaggedError<AccessEnded>()("AccessEnded", {}) {
  override readonly message = "Access to this response has ended"
}

const isEventStream = ({ headers }: Response): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true

/**
 * Ends a streamed response when the client loses access. An event stream ends normally. For any
 * other response, the connection is broken off, because a partial response must not look complete.
 */
export const sendUntil = (response: Response, ended: Effect.Effect<void>): Response => {
  const { body } = response
  if (body._tag !== "Stream") return response
  const stream = Stream.interruptWhen(
    body.stream,
    isEventStream(response) ? ended : Effect.andThen(ended, new AccessEnded())
  )
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(stream, body.contentType, body.contentLength)
  )
}
