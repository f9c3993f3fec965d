/** Where things are put that can be fetched again, for all programs of a user. */
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

/** A container may run as a user that its system does not know: such a one has no home. */
const homeDirectory = (): string => {
  try {
    return homedir()
  } catch {
    return tmpdir()
  }
}

const cacheDirectory = (): string => {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (process.platform === "win32" && LOCALAPPDATA) return LOCALAPPDATA
  if (process.platform === "darwin") return join(homeDirectory(), "Library", "Caches")
  return XDG_CACHE_HOME || join(homeDirectory(), ".cache")
}

/** The folder of Verbatim in the cache folder of the user. */
export const cacheFolder = (): string => join(cacheDirectory(), "verbatim")
