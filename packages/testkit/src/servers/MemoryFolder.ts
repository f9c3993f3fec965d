/**
 * The folder for test databases. It is in memory if there is enough space, because commits to a
 * disk are much slower. No test covers a crash of the machine.
 */
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

/** The in-memory folder on Linux, which is often too small in a container. */
const inMemory = "/dev/shm"

/** Minimum free space, which is many times what a test run uses at any moment. */
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
