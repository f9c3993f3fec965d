/**
 * The folder for test databases: in memory if there is enough space, because commits to a disk take
 * much longer. The tests do not cover machine crashes.
 */
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

/** The in-memory folder on Linux, which is often too small in a container. */
const inMemory = "/dev/shm"

/** Minimum free space: many times what one test run ever uses at once. */
const byteMin = 1_000_000_000

const hasSpace = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= byteMin
  } catch {
    return false
  }
}

/** The parent folder for test folders with databases. */
export const memoryFolder: string = hasSpace() ? inMemory : tmpdir()
