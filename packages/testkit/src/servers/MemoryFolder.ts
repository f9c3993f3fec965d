/**
 * Where databases of tests lie: in memory where there is room, because a commit to a disk waits for
 * it. A crash of the machine is not what the tests are about, as with the Postgres beside this.
 */
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

/** On Linux. In a container it is often too small. */
const inMemory = "/dev/shm"

/** Many times what the tests of a run have there at once. */
const byteMin = 1_000_000_000

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= byteMin
  } catch {
    return false
  }
}

/** The folder for folders of tests whose files are databases. */
export const memoryFolder: string = hasRoom() ? inMemory : tmpdir()
