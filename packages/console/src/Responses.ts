/** Headers of the console's responses: what a page can load, and who can frame it. */
import { Effect, Schema, Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Everything comes from the page's own origin. Documents contain no inline scripts or styles, and
 * no script turns text into markup.
 */
const pagePolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** Responses of the API are for scripts: opened directly, nothing in them runs. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin"
}

/** Headers for a file of the page. */
export const pageHeaders = {
  ...always,
  "content-security-policy": pagePolicy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()"
}

/** Keeps responses for one user, or for one moment, out of caches. */
export const noStore = { "cache-control": "no-store" }

/** Adds the headers that a response of the API needs for the page. */
export const toPageResponse = (response: Response): Response =>
  HttpServerResponse.setHeaders(response, {
    ...(response.headers["cache-control"] === undefined ? noStore : {}),
    ...always,
    "content-security-policy": apiPolicy
  })

/** Marks refusals by the console, as opposed to the API. */
const refusalHeader = "x-verbatim-console"

/** Refuses a request of the page with a sentence. */
export const refuse = (status: number, detail: string): Response =>
  HttpServerResponse.jsonUnsafe(
    { detail },
    { status, headers: { ...always, ...noStore, [refusalHeader]: "refused" } }
  )

/** Refuses a user whom the host allows nothing here: no key would help. */
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

/** The receiver of a stream lost access to it. */
class AccessEnded extends Schema.TaggedError<AccessEnded>()("AccessEnded", {}) {
  override readonly message = "Access to this response has ended"
}

const isEventStream = ({ headers }: Response): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true

/**
 * Ends a streamed response when access ends. Event streams end normally; anything else breaks the
 * connection, because a part must not look like the whole.
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
