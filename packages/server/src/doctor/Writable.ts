/** Whether this user may write into a folder, by what the system says: nothing is written. */
import { accessSync, constants } from "node:fs"

/** Whether this user may write there; not where there is nothing. */
export const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
