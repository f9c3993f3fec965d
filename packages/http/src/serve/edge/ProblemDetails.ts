/**
 * Converts errors to problem details (RFC 9457) for clients that prefer them. All other clients get
 * errors in the format of the API's family.
 */
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { readMessage } from "./ErrorAnswer.ts"

const problemType = "application/problem+json"

/** The titles of the generic type, which are the reason phrases of the statuses (RFC 9110, 15). */
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

/** Returns the weight that a header gives a media type by name; 0 if it does not name the type. */
const weightOf = (accept: string, type: string): number => {
  const weights = accept
    .toLowerCase()
    .split(",")
    .flatMap((member) => {
      const [name, ...parameters] = member.split(";").map((part) => part.trim())
      const weight = parameters.find((each) => each.startsWith("q="))?.slice("q=".length) ?? "1"
      return name === type && /^[01](?:\.\d{0,3})?$/.test(weight) ? [Number(weight)] : []
    })
  return Math.max(0, ...weights)
}

/**
 * Whether a client prefers problem details. It must name their type, because `*` would also match
 * clients that do not know it.
 */
export const prefersProblems = (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const weight = weightOf(accept, problemType)
  return weight > 0 && weight >= weightOf(accept, "application/json")
}

/** Converts an error, with the same headers, if the request prefers problem details. */
export const toPreferredForm = (
  { headers }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body, status } = response
  if (!prefersProblems(headers.accept) || body._tag !== "Uint8Array") return response
  if (!body.contentType.startsWith("application/json")) return response
  const detail = readMessage(new TextDecoder().decode(body.body))
  if (detail === undefined) return response
  const problem = { type: "about:blank", title: titles[status] ?? "Error", status, detail }
  return response.pipe(
    HttpServerResponse.setBody(HttpBody.jsonUnsafe(problem, problemType)),
    HttpServerResponse.setHeader("vary", "Accept")
  )
}
