/** Measures a child process's memory, as reported by the child. */

import type { ChildProcess } from "node:child_process"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const teller = new URL(`./ReportMemory${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/**
 * The Node argument that makes a child report its memory. The child must be spawned with an `ipc`
 * channel.
 */
export const memoryReportArgument = `--import=${teller.href}`

/**
 * Returns the size in bytes of a child's heap and external buffers after garbage collection. The
 * child must run with {@link memoryReportArgument}.
 */
export const bytesInUseBy = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      child.off("message", hear)
      child.off("exit", gone)
    }
    const hear = (message: unknown) => {
      if (typeof message !== "object" || message === null || !("bytesInUse" in message)) return
      stop()
      resolve(Number(message.bytesInUse))
    }
    const gone = () => {
      stop()
      reject(new Error("the program has ended"))
    }
    child.on("message", hear)
    child.once("exit", gone)
    child.send("memory?")
  })

/** Returns the size in bytes of the heap and external buffers after garbage collection. */
export const bytesInUse = (): number => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  collect()
  // The second collection waits until the first collection has finished sweeping.
  collect()
  // External memory includes buffers.
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}
