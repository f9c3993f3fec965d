/** Starts programs in separate processes, which print a line when they are ready. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

/** A program's folder, arguments, and all its environment variables. */
export interface Command {
  readonly cwd?: string
  readonly args: ReadonlyArray<string>
  readonly environment: NodeJS.ProcessEnv
}

/** A process that runs until it is disposed of. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess
  /** A server's address. */
  readonly address: string
  /** The end of what the program has printed. */
  readonly output: () => string
  /** Rejects with the program's output when the program ends. */
  readonly ended: Promise<never>
}

/** A process that a benchmark measures and sends messages to. */
export interface MeasuredChild extends Child {
  /** Sends a message, and returns the program's next message. Rejects if the program ends. */
  readonly request: (message: object | string) => Promise<unknown>
  /** The CPU time of all threads in microseconds since the start. */
  readonly cpu: () => Promise<number>
}

/** Time limit for a start, which takes about a second on an idle machine. */
const startMillis = 120_000

/** Number of UTF-16 units to keep from the end of a program's output. */
const saidMax = 10_000

/** Starts a program and waits until it prints its address, or that it is ready. */
export const startChild = async (
  { args, cwd, environment }: Command,
  channels: ReadonlyArray<"ipc"> = []
): Promise<Child> => {
  const child = spawn(process.execPath, args, {
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ["ignore", "pipe", "pipe", ...channels],
    env: environment
  })
  const { stderr, stdout } = child
  if (stderr === null || stdout === null) throw new Error("the output is not piped")
  let said = ""
  for (const output of [stdout, stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-saidMax)
    })
  }
  const stop = async () => {
    if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit")
  }
  const fail = (end: unknown): never => {
    throw new Error(`the program ended with ${end}: ${said}`)
  }
  // The event `exit` can precede the last output.
  const ended = once(child, "close").then(([code, signal]) => fail(signal ?? code))
  ended.catch(() => undefined)
  const found = Promise.withResolvers<string>()
  createInterface({ input: stdout }).on("line", (line) => {
    const match = /(?:listens on|Listening on|Local:) +(http:\S+)|is ready/i.exec(line)
    if (match !== null) found.resolve(match[1] ?? "")
  })
  const late = sleep(startMillis, "no address", { ref: false }).then(fail)
  const address = await Promise.race([found.promise, ended, late]).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  return { process: child, address, output: () => said, ended, [Symbol.asyncDispose]: stop }
}

/** The Node argument that makes a child process report its CPU time. */
const cpuReportArgument = `--import=${new URL("CpuReport.ts", import.meta.url).href}`

/** Starts a program as `startChild` does, with a channel for messages. */
export const startMeasured = async ({ args, ...command }: Command): Promise<MeasuredChild> => {
  const child = await startChild({ ...command, args: [cpuReportArgument, ...args] }, ["ipc"])
  const request = async (message: object | string): Promise<unknown> => {
    const answered = once(child.process, "message")
    // Sending fails only if the program has ended, which `ended` reports.
    child.process.send(message, () => undefined)
    const [answer] = await Promise.race([answered, child.ended])
    return answer
  }
  return { ...child, request, cpu: async () => Number(await request("cpu")) }
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

/** The Node arguments with which `npm start` runs our code. */
export const ourFlags: ReadonlyArray<string> = [
  "--conditions=@verbatim/source",
  "--min-semi-space-size=16",
  "--max-semi-space-size=16"
]

/** Returns the command that starts our server as `npm start` does, without a worker by default. */
export const ourServer = ({
  databaseUrl,
  directory,
  environment = {},
  key
}: OurServer): Command => ({
  args: [...ourFlags, fileURLToPath(program), "serve"],
  environment: {
    ...process.env,
    VERBATIM_PORT: "0",
    VERBATIM_ROLES: "http",
    VERBATIM_DATA_DIR: directory,
    VERBATIM_DATABASE_URL: databaseUrl,
    VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: key,
    ...environment
  }
})
