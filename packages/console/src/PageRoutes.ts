/** Serves the files of the page; files with a hash in their names are cached forever. */
import { Effect } from "effect"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type PageFile, readAll } from "./PageFiles.ts"
import { noStore, pageHeaders } from "./Responses.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A year, which is the longest time for which caches keep a response. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" }

const acceptsGzip = ({ headers }: Request): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(headers["accept-encoding"] ?? "")

const isUnchanged = ({ headers }: Request, tag: string): boolean =>
  headers["if-none-match"]?.split(",").some((each) => each.trim().replace(/^W\//, "") === tag) ??
  false

const notBuilt = HttpServerResponse.text("The console is not built here: run npm run build.", {
  status: 503,
  headers: { ...pageHeaders, ...noStore }
})

const notFound = HttpServerResponse.text("There is nothing here.", {
  status: 404,
  headers: { ...pageHeaders, ...noStore }
})

const send = (request: Request, { bytes, compressed, isHashed, tag, type }: PageFile) => {
  const headers = {
    ...pageHeaders,
    ...(isHashed ? immutable : noStore),
    etag: tag,
    vary: "Accept-Encoding"
  }
  if (isUnchanged(request, tag)) return HttpServerResponse.empty({ status: 304, headers })
  return compressed !== undefined && acceptsGzip(request)
    ? HttpServerResponse.uint8Array(compressed, {
        contentType: type,
        headers: { ...headers, "content-encoding": "gzip" }
      })
    : HttpServerResponse.uint8Array(bytes, { contentType: type, headers })
}

/**
 * Redirects to the folder. The redirect is relative to the requested path, because a proxy may have
 * moved the folder.
 */
const toFolder = (prefix: string) =>
  HttpServerResponse.empty({
    status: 302,
    headers: { ...pageHeaders, ...noStore, location: `${prefix.split("/").at(-1)}/` }
  })

/** Adds the routes to a router. */
export const add = (router: HttpRouter.HttpRouter, prefix: `/${string}`) =>
  Effect.suspend(() => {
    const files = readAll()
    const answer = (request: Request) => {
      const [path = ""] = request.url.split("?", 1)
      if (path === prefix) return toFolder(prefix)
      const name = path.slice(prefix.length + 1)
      const file = files.get(name === "" ? "index.html" : name)
      if (file !== undefined) return send(request, file)
      return name === "" ? notBuilt : notFound
    }
    return router.add("GET", `${prefix}/*`, Effect.map(HttpServerRequest.HttpServerRequest, answer))
  })
