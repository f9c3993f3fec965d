/** The headers of what the console answers: what a page of ours may load, and who may frame it. */
import { Effect, Schema, Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Everything comes from where the page came from. No script and no style stands in a document, and
 * no script makes markup of text.
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

/** What the API answers is for scripts: opened by itself, nothing in it runs. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin"
}

/** The headers of a file of the page. */
export const pageHeaders = {
  ...always,
  "content-security-policy": pagePolicy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()"
}

/** Nobody keeps what is of one user and of one moment. */
export const unkept = { "cache-control": "no-store" }

/** An answer of the API as the page gets it. */
export const toPageAnswer = (response: Response): Response =>
  HttpServerResponse.setHeaders(response, {
    ...(response.headers["cache-control"] === undefined ? unkept : {}),
    ...always,
    "content-security-policy": apiPolicy
  })

/** What tells the page that it is the console that refuses, and not the API. */
const refusalHeader = "x-verbatim-console"

/** Refuses a request of the page, in a sentence. */
export const refuse = (status: number, detail: string): Response =>
  HttpServerResponse.jsonUnsafe(
    { detail },
    { status, headers: { ...always, ...unkept, [refusalHeader]: "refused" } }
  )

/** Refuses somebody whom the host lets do nothing here: no key would help. */
export const refuseGuest = (): Response =>
  HttpServerResponse.setHeader(
    refuse(
      401,
      "You may not use this console. Log in to the service that it belongs to, with an account " +
        "that may, or ask whoever runs it."
    ),
    refusalHeader,
    "host"
  )

/** Whoever was sent something while it happens may not have it any more. */
class LeaveEnded extends Schema.TaggedError<LeaveEnded>()("LeaveEnded", {}) {
  override readonly message = "Whoever asked for it may not have it any more"
}

const isEvents = ({ headers }: Response): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true

/**
 * What is sent piece by piece ends with the leave to have it. Events end, as they do elsewhere; of
 * anything else a part must not look like the whole, so the connection breaks off.
 */
export const sendUntil = (response: Response, over: Effect.Effect<void>): Response => {
  const { body } = response
  if (body._tag !== "Stream") return response
  const stream = Stream.interruptWhen(
    body.stream,
    isEvents(response) ? over : Effect.andThen(over, new LeaveEnded())
  )
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(stream, body.contentType, body.contentLength)
  )
}
