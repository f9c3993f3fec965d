/**
 * Starts a child process that replies to messages one at a time, in order. The child sends its
 * first message once it is ready.
 */
import { fork } from "node:child_process"

export interface ChildProgram {
  /** Sends a message, and returns the reply. */
  readonly ask: (message: unknown) => Promise<unknown>
  readonly end: () => void
}

/** Starts a program, and waits until it is ready. */
export const start = (
  path: string,
  environment: Readonly<Record<string, string>>
): Promise<ChildProgram> => {
  const child = fork(path, {
    execArgv: ["--conditions=@verbatim/source"],
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      const stop = () => {
        child.off("message", hear)
        child.off("exit", gone)
      }
      const hear = (message: unknown) => {
        stop()
        resolve(message)
      }
      const gone = (code: number | null) => {
        stop()
        reject(new Error(`the program ended by itself: ${code}`))
      }
      child.once("message", hear)
      child.once("exit", gone)
    })
  const ask = (message: unknown) => {
    const answer = next()
    child.send(message as object)
    return answer
  }
  return next().then(() => ({ ask, end: () => void child.disconnect() }))
}
