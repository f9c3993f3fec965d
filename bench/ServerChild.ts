/**
 * A server in a process of its own, started by a command and known by the address that it prints.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { CpuMicros } from "./CpuReport.ts"

/** What to run, with which variables besides our own. */
export interface ServerCommand {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

/** A server that listens, until it is disposed of. */
export interface ServerChild extends AsyncDisposable {
  readonly address: string
  /** The processor time that it has used since it was started. */
  readonly cpu: () => Promise<CpuMicros>
}

/** A cold start takes about a second; this is for a machine that is busy with other things. */
const startMillis = 30_000

/** How much of the end of a server's error output is kept, in UTF-16 units. */
const errorsMax = 10_000

const cpuReport = new URL("CpuReport.ts", import.meta.url).href

/** Starts a server and waits until it says that it `listens on` an address. */
export const startServer = async ({ args, environment }: ServerCommand): Promise<ServerChild> => {
  const child = spawn(process.execPath, ["--import", cpuReport, ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...environment }
  })
  const { stderr, stdout } = child
  if (stderr === null || stdout === null) throw new Error("the output of the server is not piped")
  let errors = ""
  stderr.on("data", (chunk) => {
    errors = `${errors}${chunk}`.slice(-errorsMax)
  })
  const stop = async () => {
    if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit")
  }
  const address = await new Promise<string>((found, failed) => {
    const timer = setTimeout(() => failed(new Error("the server did not start")), startMillis)
    child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${errors}`)))
    createInterface({ input: stdout }).on("line", (line) => {
      const match = /listens on (http:\S+)/.exec(line)?.[1]
      if (match === undefined) return
      clearTimeout(timer)
      found(match)
    })
  }).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  const cpu = async (): Promise<CpuMicros> => {
    child.send("cpu")
    const [micros] = await once(child, "message")
    return micros
  }
  return { address, cpu, [Symbol.asyncDispose]: stop }
}
