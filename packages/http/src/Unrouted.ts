/** Requests without a route: the path is unknown, or lacks the method. */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api, documentPaths } from "./Api.ts"
import { makeEdgeAnswer } from "./EdgeAnswer.ts"

interface Route {
  readonly method: string
  readonly segments: ReadonlyArray<string>
}

/** Splits a path as the router does: a slash at the end means nothing. */
const split = (path: string): ReadonlyArray<string> => path.replace(/\/$/, "").split("/")

const listRoutes = (): ReadonlyArray<Route> => {
  const found: Array<Route> = Object.values(documentPaths).map((path) => ({
    method: "GET",
    segments: split(path)
  }))
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      found.push({ method, segments: split(path) })
    }
  })
  return found
}

const routes = listRoutes()

const matches = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => part.startsWith(":") || part === segments[index])

/** The methods of a path; none where it has no operation. */
export const findMethods = (path: string): ReadonlySet<string> => {
  const segments = split(path)
  const methods = new Set(
    routes.filter((route) => matches(route.segments, segments)).map(({ method }) => method)
  )
  // A server that answers GET answers HEAD as well (RFC 9110, 9.1).
  if (methods.has("GET")) methods.add("HEAD")
  return methods
}

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
