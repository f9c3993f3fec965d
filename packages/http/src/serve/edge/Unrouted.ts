/** Requests without a route: the path is unknown, or lacks the method. */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeEdgeAnswer } from "./EdgeAnswer.ts"
import { findMethods } from "./Routes.ts"

/** Refuses a request without a route. */
export const refuseUnrouted = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const [path = ""] = request.url.split("?", 1)
  const methods = findMethods(path)
  if (methods.size === 0) return makeEdgeAnswer(path, { status: 404, message: "Not Found" })
  const refusal = makeEdgeAnswer(path, { status: 405, message: "Method Not Allowed" })
  return HttpServerResponse.setHeader(refusal, "allow", [...methods].join(", "))
}

/** Refuses a request without a route where there are a few reads and nothing else. */
export const refuseUnknown = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  makeEdgeAnswer(request.url, { status: 404, message: "Not Found" })
