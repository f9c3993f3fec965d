/** The user's cache folder, for files that can be downloaded again. */
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

/** A container may run as a user whom the system does not know and who has no home directory. */
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

/** Returns Verbatim's folder in the user's cache folder. */
export const cacheFolder = (): string => join(cacheDirectory(), "verbatim")
