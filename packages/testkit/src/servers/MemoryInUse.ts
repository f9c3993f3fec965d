/**
 * Memory that somebody still holds. What the collector has left for later does not count, and how
 * much that is depends on how busy the machine is.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Bytes of the heap, and of buffers outside it. Collects all garbage of the process first. */
export const bytesInUse = (): number => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  collect()
  // This one waits until the first has swept.
  collect()
  // Buffers are part of what is external.
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}
