/**
 * Child processes for tests: a program that replies to messages one at a time, and a child that
 * reports its memory.
 */

import { type ChildProcess, fork } from "node:child_process"
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

/** Waits for a message that the function accepts. Fails if the child exits first. */
const nextMessage = <A>(
  child: ChildProcess,
  accept: (message: unknown) => A | undefined
): Promise<A> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      child.off("message", hear)
      child.off("exit", gone)
    }
    const hear = (message: unknown) => {
      const accepted = accept(message)
      if (accepted === undefined) return
      stop()
      resolve(accepted)
    }
    const gone = (code: number | null) => {
      stop()
      reject(new Error(`the program ended by itself: ${code}`))
    }
    child.on("message", hear)
    child.once("exit", gone)
  })

/**
 * Returns the size in bytes of a child's heap and external buffers after garbage collection. The
 * child must run with {@link memoryReportArgument}.
 */
export const bytesInUseBy = (child: ChildProcess): Promise<number> => {
  const reported = nextMessage(child, (message) => Object(message).bytesInUse as number | undefined)
  child.send("memory?")
  return reported
}

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

export interface ChildProgram {
  /** Sends a message, and returns the reply. */
  readonly ask: (message: unknown) => Promise<unknown>
  readonly end: () => void
}

/** Starts a program, and waits for its first message, which reports that the program is ready. */
export const start = (
  path: string,
  environment: Readonly<Record<string, string>>
): Promise<ChildProgram> => {
  const child = fork(path, {
    execArgv: ["--conditions=@verbatim/source"],
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const next = () => nextMessage(child, (message) => message)
  const ask = (message: unknown) => {
    const answer = next()
    child.send(message as object)
    return answer
  }
  return next().then(() => ({ ask, end: () => void child.disconnect() }))
}
