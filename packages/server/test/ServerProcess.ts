/** Runs a real server in a separate process, with a directory that outlives it. */
import { ok } from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { openAsBlob } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { programArguments, programEnvironment } from "./Program.ts"

/** The arguments that `npm start` uses to run the server. */
const command = [
  "--min-semi-space-size=16",
  "--max-semi-space-size=16",
  ...programArguments("verbatim")
]
const audio = new URL("../../../examples/audio/", import.meta.url)

/** The shortest recording of speech, which lasts two seconds and takes one second to recognise. */
const letter = new URL("../../adapters/test/media/letter.wav", import.meta.url)

const example = async (name?: string): Promise<File> => {
  const path = name === undefined ? letter : new URL(name, audio)
  return new File([await openAsBlob(path)], basename(path.pathname))
}

export const managementKey = "test-management-key-0123456789abcdef"
export const inferenceKey = "test-inference-key-0123456789abcdef"
export const operatorKey = "test-operator-key-0123456789abcdef"

export type Settings = Readonly<Record<string, string>>

/** Creates a temporary data directory for servers. */
export const dataDirectory = async () => {
  const path = await mkdtemp(join(tmpdir(), "verbatim-test-"))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Builds the environment for a program that uses a given directory. */
export const environment = (directory: string, settings: Settings) => ({
  ...programEnvironment,
  VERBATIM_PORT: "0",
  VERBATIM_DATA_DIR: directory,
  VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
  // Prevents downloads, because tests must not wait for models or use the network.
  VERBATIM_MODEL_SOURCE: "hub:https://hub.invalid",
  VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: managementKey,
  VERBATIM_BOOTSTRAP_INFERENCE_KEY: inferenceKey,
  ...settings
})

/** Runs an operator command in a directory. */
export const operate = async (
  directory: string,
  args: ReadonlyArray<string>,
  settings: Settings = {},
  before: ReadonlyArray<string> = []
) => {
  const [program = "", ...all] = [...before, process.execPath, ...command, ...args]
  const child = spawn(program, all, {
    env: environment(directory, settings),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit")
  ])
  return { stdout, stderr, status }
}

/** A running server. A server with only the `worker` role has no address. */
export class ServerProcess {
  readonly address: string
  readonly child: ChildProcess
  readonly #log: { text: string }

  constructor(address: string, child: ChildProcess, log = { text: "" }) {
    this.address = address
    this.child = child
    this.#log = log
  }

  /** The log lines so far. */
  get errors(): string {
    return this.#log.text
  }

  /** Waits for a log line that matches. */
  async saying(what: RegExp) {
    while (!what.test(this.errors)) await sleep(20)
  }

  /**
   * Starts a server in a folder, by default the one of the tests, and waits until it listens. Words
   * before the command can change how it runs.
   */
  static async start(
    directory: string,
    settings: Settings = {},
    cwd?: string,
    before: ReadonlyArray<string> = []
  ) {
    const [program = "", ...args] = [...before, process.execPath, ...command, "serve"]
    const child = spawn(program, args, {
      cwd,
      env: environment(directory, settings),
      stdio: ["ignore", "pipe", "pipe", "ipc"]
    })
    ok(child.stdout !== null && child.stderr !== null)
    const log = { text: "" }
    child.stderr.on("data", (chunk) => {
      log.text += chunk
    })
    const isSilent = settings.VERBATIM_HEALTH_PORT === "off"
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /(?:listens on|Health checks at) (http:\/\/[^/\s]+)/.exec(line)?.[1]
      if (address !== undefined) return new ServerProcess(address, child, log)
      if (isSilent && /^Worker .* started$/.test(line)) return new ServerProcess("", child, log)
    }
    return Promise.reject(new Error(`the server did not start: ${log.text}`))
  }

  /** Sends a signal, and waits until the process has exited. */
  async end(signal: "SIGTERM" | "SIGKILL") {
    const exit = once(this.child, "exit")
    this.child.kill(signal)
    const [code]: ReadonlyArray<number | null> = await exit
    return code
  }

  async [Symbol.asyncDispose]() {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.end("SIGKILL")
  }

  request(path: string, init: RequestInit = {}, key: string = inferenceKey) {
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    return fetch(`${this.address}${path}`, { ...init, headers })
  }

  async json(path: string, init: RequestInit = {}, key: string = inferenceKey) {
    const response = await this.request(path, init, key)
    return (await response.json()) as Readonly<Record<string, string>>
  }

  /** Uploads an example recording by name. The default one contains a few words. */
  async upload(parameters: Readonly<Record<string, string>>, recording?: string | File) {
    const form = new FormData()
    for (const [name, value] of Object.entries(parameters)) form.set(name, value)
    form.set("file", recording instanceof File ? recording : await example(recording))
    return this.json("/v1/transcribe", { method: "POST", body: form })
  }

  /** Reads a job repeatedly until it meets a condition. */
  async until(id: string, is: (job: Readonly<Record<string, string>>) => boolean) {
    for (;;) {
      const job = await this.json(`/v1/status/${id}`)
      if (job.id === undefined) throw new Error(`there is no job ${id}: ${JSON.stringify(job)}`)
      if (is(job)) return job
      await sleep(50)
    }
  }

  /** Returns the peak memory of the process in bytes. */
  async peakBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, "utf8")
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }
}

/** Expires the leases, as if half a minute had passed. */
export const passLeases = (directory: string): void => {
  using database = new DatabaseSync(join(directory, "verbatim.db"), { timeout: 5_000 })
  database.exec("UPDATE verbatim_work SET lease_until = lease_until - 30000")
}
