/** Reads exported presets from a folder or a file, for `presetFetch` on Node, Bun and Deno. */
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { parseExact } from "@verbatim/resolution"

const readDocument = async (path: string): Promise<object> => {
  try {
    const document: unknown = parseExact(await readFile(path, "utf8"))
    if (typeof document === "object" && document !== null) return document
  } catch (cause) {
    throw new Error(`The exported preset ${path} cannot be read as JSON`, { cause })
  }
  throw new Error(`The exported preset ${path} is not an object`)
}

/**
 * Returns a function that reads the presets in a folder or file written by `verbatim presets export
 * --format json`. The function rejects if a preset cannot be read.
 */
export const exportedPresets = (path: string) => async (): Promise<ReadonlyArray<object>> => {
  if (!(await stat(path)).isDirectory()) return [await readDocument(path)]
  const names = (await readdir(path))
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .sort()
  if (names.length === 0) {
    throw new Error(`${path} contains no JSON files: export the presets with --format json`)
  }
  return Promise.all(names.map((name) => readDocument(join(path, name))))
}
