/** The folder of a host that is ours, and the paths that are ours where there is none. */
import { apiRoot, documentPaths } from "../../contract/Api.ts"

/** The path of a folder on a host's router. */
export type Prefix = `/${string}`

/** A folder as it is compared: without a slash at its end, and empty for the root. */
export const toPrefix = (prefix: Prefix | ""): Prefix | "" =>
  prefix.replace(/\/+$/, "") as Prefix | ""

/** What is ours at the root of a host that gives us no folder: all else stays the host's. */
export const ownPaths = [
  `${apiRoot}/*`,
  "/health",
  "/health/ready",
  documentPaths.openapi,
  documentPaths.page
] as const

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`)

/** Tells whether a request is for us, by its path, on a host that gives us this folder. */
export const isOurs = (url: string, prefix: Prefix | ""): boolean => {
  const [path = ""] = url.split("?", 1)
  const folder = toPrefix(prefix)
  if (folder !== "") return isBelow(path, folder)
  return ownPaths.some((own) =>
    own.endsWith("/*") ? path.startsWith(own.slice(0, -1)) : path === own
  )
}
