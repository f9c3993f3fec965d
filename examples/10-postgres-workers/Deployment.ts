/**
 * Runs several processes that share a Postgres database and a media directory. Any process can be
 * killed, because no process holds state that is needed later.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { json } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { launch } from "@verbatim/testkit/servers"

export interface Member {
  readonly name: string
  readonly child: ChildProcess
}

const verbatim = [
  "--conditions=@verbatim/source",
  fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url))
]

/** Time limit that lets five processes start at the same time on two busy cores. */
const startMillisMax = 60_000

/** Returns this environment without the settings of a server that may be running here. */
const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith("VERBATIM_") || name === "VERBATIM_CACHE_DIR"
    )
  )

/** Waits until a process prints a matching line, and returns the match's first group. */
const waitForLine = (
  {
    child,
    name
  }: { readonly name: string; readonly child: { readonly stdout: Readable } & ChildProcess },
  sentence: RegExp
): Promise<string> =>
  new Promise((found, failed) => {
    const timer = setTimeout(() => failed(new Error(`${name} did not start`)), startMillisMax)
    child.once("exit", (code) => failed(new Error(`${name} ended with ${code}`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const about = sentence.exec(line)?.[1]
      if (about === undefined) return
      clearTimeout(timer)
      found(about)
    })
  })

export class Deployment {
  readonly members: Array<Member> = []
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #remove: () => Promise<void>

  private constructor(
    environment: Readonly<Record<string, string | undefined>>,
    remove: () => Promise<void>
  ) {
    this.#environment = environment
    this.#remove = remove
  }

  /**
   * Uses the database in `DATABASE_URL`, or starts a database. Does not start any Verbatim process.
   */
  static async open(): Promise<Deployment> {
    const given = process.env.DATABASE_URL ?? ""
    const postgres = given === "" ? await launch() : undefined
    const directory = await mkdtemp(join(tmpdir(), "verbatim-workers-"))
    const environment = {
      ...ownEnvironment(),
      VERBATIM_DATABASE_URL: postgres?.url ?? given,
      VERBATIM_DATA_DIR: directory,
      VERBATIM_PORT: "0",
      VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
      VERBATIM_TRANSCRIBER: "pocketsphinx",
      // Each worker handles one recording at a time, so that all three workers get a recording.
      VERBATIM_TRANSCRIBE_CONCURRENCY: "1"
    }
    return new Deployment(environment, async () => {
      await postgres?.remove()
      await rm(directory, { recursive: true, force: true })
    })
  }

  /** Starts an HTTP process, and returns the address on which the process listens. */
  http(name: string): Promise<string> {
    const child = this.#start(name, { VERBATIM_ROLES: "http" })
    return waitForLine({ name, child }, /listens on (http:\S+)/)
  }

  /** Starts a worker, and passes on what its log says about each job. */
  async worker(name: string, onJob: (message: string, job: string) => void): Promise<Member> {
    const child = this.#start(name, { VERBATIM_ROLES: "worker" })
    createInterface({ input: child.stderr }).on("line", (line) => {
      const [, message = "", job] = /"message":"([^"]+)","job":"([^"]+)"/.exec(line) ?? []
      if (job !== undefined) onJob(message, job)
    })
    await waitForLine({ name, child }, /Worker (.+) started/)
    return { name, child }
  }

  /** Runs an operator command, and returns its output. */
  async command(...words: ReadonlyArray<string>): Promise<string> {
    const env = this.#environment
    const { stdout } = await promisify(execFile)(process.execPath, [...verbatim, ...words], { env })
    return stdout.trimEnd()
  }

  /** Stops all processes gracefully, and removes all data. */
  async stop(): Promise<void> {
    await Promise.all(
      this.members.map(async ({ child }) => {
        const isGone = child.exitCode !== null || child.signalCode !== null
        if (!isGone && child.kill("SIGTERM")) await once(child, "exit")
      })
    )
    await this.#remove()
  }

  #start(name: string, settings: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [...verbatim, "serve"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...this.#environment, ...settings }
    })
    // The output is discarded, because a full pipe would block the process.
    child.stdout.resume()
    child.stderr.resume()
    this.members.push({ name, child })
    return child
  }
}

/** Receives webhooks on a free local port, and records the job id of each webhook. */
export const startReceiver = async () => {
  const jobIds: Array<string> = []
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { readonly id: string }
    jobIds.push(id)
    response.writeHead(204).end()
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, jobIds, stop: () => server.close() }
}
