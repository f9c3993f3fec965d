/** Every route of the API and of its documents, and which of them a request is for. */
import { HttpApi } from "effect/http-api"
import { Api, documentPaths } from "../../contract/Api.ts"
import { segmentsOf } from "./RoutedPath.ts"

interface Route {
  readonly method: string
  /** As it was declared: `/v1/status/:id`. */
  readonly pattern: string
  readonly segments: ReadonlyArray<string>
}

const listRoutes = (): ReadonlyArray<Route> => {
  const found: Array<Route> = Object.values(documentPaths).map((path) => ({
    method: "GET",
    pattern: path,
    segments: segmentsOf(path)
  }))
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      found.push({ method, pattern: path, segments: segmentsOf(path) })
    }
  })
  return found
}

const all = listRoutes()

/** Every pattern once, however many methods it has. */
export const patterns: ReadonlySet<string> = new Set(all.map(({ pattern }) => pattern))

/** Of so many segments each: a path is compared with a few routes. */
const routes: ReadonlyMap<number, ReadonlyArray<Route>> = Map.groupBy(
  all,
  ({ segments }) => segments.length
)

const matches = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  pattern.every((part, index) => part.startsWith(":") || part === segments[index])

const findRoutes = (path: string): ReadonlyArray<Route> => {
  const segments = segmentsOf(path)
  return (routes.get(segments.length) ?? []).filter((route) => matches(route.segments, segments))
}

/** The methods that a path has, HEAD where it has GET (RFC 9110, 9.1). */
export const findMethods = (path: string): ReadonlySet<string> => {
  const methods = new Set(findRoutes(path).map(({ method }) => method))
  if (methods.has("GET")) methods.add("HEAD")
  return methods
}

/** A parameter matches what another route says literally: that one is meant. */
const parametersIn = ({ segments }: Route): number =>
  segments.filter((segment) => segment.startsWith(":")).length

/** The pattern of the route that a request is for; none where no route of ours answers. */
export const findPattern = (method: string, path: string): string | undefined => {
  const asked = method === "HEAD" ? "GET" : method
  const [best] = findRoutes(path)
    .filter((route) => route.method === asked)
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
  return best?.pattern
}
