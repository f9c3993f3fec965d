/**
 * How much memory this thread holds, so that two moments of one run can be compared, whatever else
 * the machine does.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Bytes of objects and of buffers, with those that nobody can reach any more. Costs little. */
export const usedBytes = (): number => {
  const { external_memory, used_heap_size } = getHeapStatistics()
  return external_memory + used_heap_size
}

/** Bytes of objects and of buffers that somebody can reach. Takes some 100 ms. */
export const heldBytes = (): number => {
  // Read when a context is made: no option of the command line is needed.
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
  return usedBytes()
}
