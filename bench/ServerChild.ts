/** Starts a server in a separate process, which prints its address. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** A server's arguments, and environment variables to add to those of this process. */
export interface ServerCommand {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

/** A server that listens until it is disposed of. */
export interface ServerChild extends AsyncDisposable {
  readonly address: string
  /** The server's CPU time in microseconds since its start. */
  readonly cpu: () => Promise<number>
}

/** Time limit for a start, which takes about a second on an idle machine. */
const startMillis = 30_000

/** Number of UTF-16 units to keep from the end of a server's standard error. */
const errorsMax = 10_000

/** The Node argument that makes a child process report its CPU time. */
export const cpuReportArgument = `--import=${new URL("CpuReport.ts", import.meta.url).href}`

/** Returns the user and system CPU time of all threads in a child, in microseconds. */
export const cpuOf = async (child: ChildProcess): Promise<number> => {
  child.send("cpu")
  const [micros] = await once(child, "message")
  return micros
}

/** Starts a server and waits until it prints that it `listens on` an address. */
export const startServer = async ({ args, environment }: ServerCommand): Promise<ServerChild> => {
  const child = spawn(process.execPath, [cpuReportArgument, ...args], {
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
  return { address, cpu: () => cpuOf(child), [Symbol.asyncDispose]: stop }
}

/** The server's data directory, database and management key. */
interface OurServer {
  readonly directory: string
  readonly databaseUrl: string
  readonly key: string
  /** Environment variables that take precedence over the settings above. */
  readonly environment?: Readonly<Record<string, string>>
}

const program = new URL("../packages/server/src/main.ts", import.meta.url)

/** Returns the command that starts our server as `npm start` does, without a worker by default. */
export const ourServer = ({
  databaseUrl,
  directory,
  environment = {},
  key
}: OurServer): ServerCommand => ({
  args: [
    "--conditions=@verbatim/source",
    "--min-semi-space-size=16",
    "--max-semi-space-size=16",
    fileURLToPath(program),
    "serve"
  ],
  environment: {
    VERBATIM_PORT: "0",
    VERBATIM_ROLES: "http",
    VERBATIM_DATA_DIR: directory,
    VERBATIM_DATABASE_URL: databaseUrl,
    VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: key,
    ...environment
  }
})
