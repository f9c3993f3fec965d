/**
 * Serves the built files in a folder. Each file has a type and an entity tag, and is sent
 * compressed if there is a compressed copy. Files with a hash in their names are cached forever.
 * There are only a few small files, so they are kept in memory once requested.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join, sep } from "node:path"
import { Effect } from "effect"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { noStore } from "./Responses.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A built file, as kept in memory and served. */
interface StaticFile {
  readonly bytes: Uint8Array
  /** The compressed copy. Undefined if compression does not make the file smaller. */
  readonly compressed: Uint8Array | undefined
  readonly type: string
  readonly tag: string
  /** Whether the name contains a hash of the content, so that the file never changes. */
  readonly isHashed: boolean
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".woff2": "font/woff2"
}

/** All files in an `assets` folder have a hash in their names. */
const hashed = /-[0-9A-Z]{8}\.[a-z]+$|^assets\//

const readBytes = (path: string): Uint8Array | undefined => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Reads a file. Returns undefined if a build is removing the file at the same time. */
const read = (folder: string, name: string): StaticFile | undefined => {
  const path = join(folder, name)
  const bytes = readBytes(path)
  if (bytes === undefined) return undefined
  const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
  return {
    bytes,
    compressed: readBytes(`${path}.gz`),
    type: types[extname(path)] ?? "application/octet-stream",
    tag: `"${tag}"`,
    isHashed: hashed.test(name)
  }
}

/**
 * Returns a function that finds a file by name. The function finds nothing if the folder was not
 * built.
 */
const makeFind = (folder: string) => {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []
  const known = new Set(names.map((name) => name.split(sep).join("/")))
  const files = new Map<string, StaticFile>()
  return (name: string): StaticFile | undefined => {
    const file = files.get(name)
    if (file !== undefined || !known.has(name) || types[extname(name)] === undefined) return file
    const found = read(folder, name)
    if (found !== undefined) files.set(name, found)
    return found
  }
}

/** A year in seconds, the longest time for which caches keep a response. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" }

const acceptsGzip = ({ headers }: Request): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(headers["accept-encoding"] ?? "")

const isUnchanged = ({ headers }: Request, tag: string): boolean =>
  headers["if-none-match"]?.split(",").some((each) => each.trim().replace(/^W\//, "") === tag) ??
  false

/** A folder of built files, and how it is served. */
export interface StaticFolder {
  /** The folder's path on the router. */
  readonly prefix: `/${string}`
  readonly folder: string
  readonly headers: Readonly<Record<string, string>>
  /** The sentence to show if the folder was not built. */
  readonly missing: string
}

export const add = (
  router: HttpRouter.HttpRouter,
  { folder, headers: common, missing, prefix }: StaticFolder
) =>
  Effect.suspend(() => {
    const find = makeFind(folder)
    const fresh = { ...common, ...noStore }
    const send = (request: Request, { bytes, compressed, isHashed, tag, type }: StaticFile) => {
      const caching = { ...(isHashed ? immutable : noStore), vary: "Accept-Encoding" }
      const headers = { ...common, ...caching, etag: tag }
      if (isUnchanged(request, tag)) return HttpServerResponse.empty({ status: 304, headers })
      return compressed !== undefined && acceptsGzip(request)
        ? HttpServerResponse.uint8Array(compressed, {
            contentType: type,
            headers: { ...headers, "content-encoding": "gzip" }
          })
        : HttpServerResponse.uint8Array(bytes, { contentType: type, headers })
    }
    const answer = (request: Request) => {
      const [path = ""] = request.url.split("?", 1)
      if (path === prefix) {
        // The location is relative to the requested path, because a proxy may have moved the
        // folder.
        const location = `${prefix.split("/").at(-1)}/`
        return HttpServerResponse.empty({ status: 302, headers: { ...fresh, location } })
      }
      const name = path.slice(prefix.length + 1)
      const file = find(name === "" || name.endsWith("/") ? `${name}index.html` : name)
      if (file !== undefined) return send(request, file)
      return name === ""
        ? HttpServerResponse.text(missing, { status: 503, headers: fresh })
        : HttpServerResponse.text("There is nothing here.", { status: 404, headers: fresh })
    }
    return router.add("GET", `${prefix}/*`, Effect.map(HttpServerRequest.HttpServerRequest, answer))
  })
