/**
 * A file of what presets meant, for `presetFetch` on Node, Bun and Deno. It holds prompts and no
 * key, and is for the eyes of its owner alone.
 */
import { open, readFile, rename, rm } from "node:fs/promises"
import type { PinStore } from "@verbatim/resolution/pins"

const isMissing = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "code") === "ENOENT"

/** Writes a file whole, and gives it its name once it is on the disk. */
const replace = async (path: string, text: string): Promise<void> => {
  const random = crypto.getRandomValues(new Uint32Array(2))
  const temporary = `${path}.${random.join("")}.tmp`
  try {
    const file = await open(temporary, "wx", 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Keeps pins in a file: one for each `presetFetch` of each program and each workspace, since the
 * last one to write wins. Its folder must exist.
 */
export const fileStore = (path: string): PinStore => ({
  load: async () => {
    try {
      return await readFile(path, "utf8")
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  },
  save: (text) => replace(path, text)
})
