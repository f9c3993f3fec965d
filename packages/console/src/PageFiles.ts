/**
 * The built files of the page, each with a compressed copy, its type and its tag. The files are few
 * and small, so they are kept in memory.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A file of the page. */
export interface PageFile {
  readonly bytes: Uint8Array
  /** The compressed copy; undefined if it would not be smaller than the file. */
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
  ".svg": "image/svg+xml"
}

/**
 * The folder of the built files, whose relative path is the same from the sources and from the
 * compiled files.
 */
const folder = fileURLToPath(new URL("../dist/page/", import.meta.url))

const hashed = /-[0-9A-Z]{8}\.[a-z]+$/

const readBytes = (path: string): Uint8Array | undefined => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Reads a file; undefined if a build is removing the file at the same time. */
const read = (name: string): PageFile | undefined => {
  const path = join(folder, name)
  const bytes = readBytes(path)
  if (bytes === undefined) return undefined
  const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
  return {
    bytes,
    compressed: readBytes(`${path}.gz`),
    type: types[extname(name)] ?? "application/octet-stream",
    tag: `"${tag}"`,
    isHashed: hashed.test(name)
  }
}

/** Reads all files by name; there are none if the page was not built. */
export const readAll = (): ReadonlyMap<string, PageFile> => {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const known = names.filter((name) => types[extname(name)] !== undefined)
  return new Map(
    known.flatMap((name) => {
      const file = read(name)
      return file === undefined ? [] : [[name, file] as const]
    })
  )
}
