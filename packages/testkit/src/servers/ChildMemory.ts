/** What a program in a process of its own holds, told by itself. */

import type { ChildProcess } from "node:child_process"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const teller = new URL(`./TellMemory${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/** The argument of Node with which a child, spawned with an `ipc` channel, can be asked. */
export const tellingMemory = `--import=${teller.href}`

/**
 * Bytes of the heap and of buffers outside it that a child holds, all garbage collected before. The
 * child must run with {@link tellingMemory}.
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
