/**
 * A server in a process of its own, started by a command and known by the address that it prints.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** What to run, with which variables besides our own. */
export interface ServerCommand {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

/** A server that listens, until it is disposed of. */
export interface ServerChild extends AsyncDisposable {
  readonly address: string
}

/** A cold start takes about a second; this is for a machine that does something else besides. */
const startMillis = 30_000

/** Of what a server writes to its error output, the end is kept, in UTF-16 units. */
const errorsMax = 10_000

/** Starts a server and waits until it says that it `listens on` an address. */
export const startServer = async ({ args, environment }: ServerCommand): Promise<ServerChild> => {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment }
  })
  let errors = ""
  child.stderr.on("data", (chunk) => {
    errors = `${errors}${chunk}`.slice(-errorsMax)
  })
  const stop = async () => {
    if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit")
  }
  const address = await new Promise<string>((found, failed) => {
    const timer = setTimeout(() => failed(new Error("the server did not start")), startMillis)
    child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${errors}`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = /listens on (http:\S+)/.exec(line)?.[1]
      if (match === undefined) return
      clearTimeout(timer)
      found(match)
    })
  }).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  return { address, [Symbol.asyncDispose]: stop }
}
