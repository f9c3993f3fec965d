/** Starts programs in separate processes, which print a line when they are ready. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** A program's folder and arguments, and environment variables to add to those of this process. */
export interface Command {
  readonly cwd?: string
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

/** A process that runs until it is disposed of. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess
  /** A server's address. */
  readonly address: string
  /** The end of what the program has printed. */
  readonly output: () => string
  /** The CPU time of all threads in microseconds since the start. */
  readonly cpu: () => Promise<number>
}

/** Time limit for a start, which takes about a second on an idle machine. */
const startMillis = 120_000

/** Number of UTF-16 units to keep from the end of a program's output. */
const saidMax = 10_000

/** The Node argument that makes a child process report its CPU time. */
const cpuReportArgument = `--import=${new URL("CpuReport.ts", import.meta.url).href}`

/** Starts a program and waits until it prints its address, or that it is ready. */
export const startChild = async ({ args, cwd, environment }: Command): Promise<Child> => {
  const child = spawn(process.execPath, [cpuReportArgument, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...environment }
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
  const address = await new Promise<string>((found, failed) => {
    const fail = (end: unknown) => failed(new Error(`the program ended with ${end}: ${said}`))
    const timer = setTimeout(fail, startMillis, "no address")
    child.once("exit", fail)
    createInterface({ input: stdout }).on("line", (line) => {
      const match = /(?:listens on|Listening on|Local:) +(http:\S+)|is ready/i.exec(line)
      if (match === null) return
      clearTimeout(timer)
      found(match[1] ?? "")
    })
  }).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  const cpu = async () => {
    child.send("cpu")
    const [micros] = await once(child, "message")
    return micros
  }
  return { process: child, address, output: () => said, cpu, [Symbol.asyncDispose]: stop }
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
    VERBATIM_PORT: "0",
    VERBATIM_ROLES: "http",
    VERBATIM_DATA_DIR: directory,
    VERBATIM_DATABASE_URL: databaseUrl,
    VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: key,
    ...environment
  }
})
