/** Creates a folder and its missing parents. */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/**
 * Creates a folder and its missing parents. Node's own option for this loops forever if the file
 * system does not allow folders, as in `/proc`.
 */
export const makeFolders = (path: string, mode?: number): void => {
  const isThere = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere(path)) return
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created the folder in the meantime. If the parent exists, the error
    // is final.
    if (isThere(path)) return
    if (!isMissing(error) || isThere(dirname(path))) throw error
    makeFolders(dirname(path), mode)
    makeFolders(path, mode)
  }
}
