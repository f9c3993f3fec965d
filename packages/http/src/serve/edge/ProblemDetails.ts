/**
 * Converts errors to problem details (RFC 9457) for clients that prefer them. All other clients get
 * errors in the format of the API's family.
 */
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { readMessage } from "./ErrorAnswer.ts"

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
export const toPreferredForm = (
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
