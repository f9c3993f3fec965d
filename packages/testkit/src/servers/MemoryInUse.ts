/**
 * Memory that somebody still holds. What the collector has left for later does not count, and how
 * much that is depends on how busy the machine is.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Bytes of the heap and of its buffers. It collects all garbage of the process first, twice. */
export const bytesInUse = (): number => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  collect()
  // This one waits until the first has swept.
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}
