/**
 * The folder of test databases: in memory if there is space, because a commit to a disk waits for
 * it. The tests do not cover a crash of the machine, as with the Postgres server.
 */
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

/** On Linux. In a container it is often too small. */
const inMemory = "/dev/shm"

/** Many times the space that the tests of a run use at once. */
const byteMin = 1_000_000_000

const hasSpace = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= byteMin
  } catch {
    return false
  }
}

/** Parent folder of test folders with databases. */
export const memoryFolder: string = hasSpace() ? inMemory : tmpdir()
