/**
 * Requests that no route takes: an unknown path, or a known one with another method.
 */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api, documentPaths } from "./Api.ts"
import { edgeResponse } from "./ErrorBody.ts"

interface Route {
  readonly method: string
  readonly segments: ReadonlyArray<string>
}

/** A slash at the end means nothing, as for the router. */
const segmentsOf = (path: string): ReadonlyArray<string> => path.replace(/\/$/, "").split("/")

const routes = ((): ReadonlyArray<Route> => {
  const found: Array<Route> = Object.values(documentPaths).map((path) => ({
    method: "GET",
    segments: segmentsOf(path)
  }))
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      found.push({ method, segments: segmentsOf(path) })
    }
  })
  return found
})()

const fits = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => part.startsWith(":") || part === segments[index])

const methodsOf = (path: string): ReadonlySet<string> => {
  const segments = segmentsOf(path)
  const methods = new Set(
    routes.filter((route) => fits(route.segments, segments)).map(({ method }) => method)
  )
  // A server that answers GET answers HEAD as well (RFC 9110, 9.1).
  if (methods.has("GET")) methods.add("HEAD")
  return methods
}

/** The answer to a request that no route takes. */
export const unrouted = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const [path = ""] = request.url.split("?", 1)
  const methods = methodsOf(path)
  if (methods.size === 0) return edgeResponse(path, { status: 404, message: "Not Found" })
  const refusal = edgeResponse(path, { status: 405, message: "Method Not Allowed" })
  return HttpServerResponse.setHeader(refusal, "allow", [...methods].join(", "))
}
