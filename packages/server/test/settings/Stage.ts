/** The servers and their neighbours together, and how they are asked. */
import { availableParallelism } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { wav } from "../Recordings.ts"
import { inferenceKey, managementKey, type ServerProcess } from "../ServerProcess.ts"
import { type Neighbours, startNeighbours } from "./Neighbours.ts"
import { type RunName, startRun, valueOf } from "./Runs.ts"

/** What a server answers. */
export interface Answer {
  readonly status: number
  /** JSON of any shape: what it holds is what the test is about. */
  readonly body: ReturnType<typeof JSON.parse>
}

/** A job that came to its end. */
export interface Ended {
  readonly accepted: Answer["body"]
  readonly done: Answer["body"]
}

/** The keys of a server: those of its database. */
export const keysOf = (run: RunName) =>
  run === "unusual" || run === "answering"
    ? { managing: valueOf("BOOTSTRAP_MANAGEMENT_KEY"), calling: valueOf("BOOTSTRAP_INFERENCE_KEY") }
    : { managing: managementKey, calling: inferenceKey }

/** How many transcriptions run at the same time where nothing is set. */
export const transcriptionMax = availableParallelism()

/** Seconds without a sound. */
export const silence = (seconds: number) =>
  new File([wav(new Int16Array(16_000 * seconds))], "a.wav")

/** Not a recording, whatever its name says. */
export const noise = (byteLength = 1_000) => new File([new Uint8Array(byteLength)], "a.mp3")

/** Looks for some minutes until something is as wanted, and again later: it must stay so. */
export const settle = async (look: () => Promise<unknown>, wanted: unknown) => {
  for (let count = 0; count < 3_000 && (await look()) !== wanted; count += 1) await sleep(100)
  await sleep(300)
  return look()
}

/** The part of a job that still waits for something. */
const isPending = (status: unknown) =>
  status === "PENDING" || status === "IN_PROGRESS" || status === "IN_QUEUE"

/** What small models hear: the first has to be long enough for a summary. */
const recordings = { local: "harbour-minute.mp3", fetching: "harbour-opening.mp3" } as const

/** Makes each thing when it is first asked for, and once. */
const makeOnce = <Key, A>(make: (key: Key) => Promise<A>) => {
  const made = new Map<Key, Promise<A>>()
  const get = (key: Key) => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
  return { get, made }
}

export class Stage {
  readonly #neighbours: Neighbours
  readonly #servers = makeOnce<RunName, ServerProcess>(async (run) => {
    // It shares the database of the other, which comes first.
    if (run === "answering") await this.server("unusual")
    return startRun(run, this.neighbours)
  })
  readonly #uploads = makeOnce<RunName, Answer>((run) => this.submit(run, {}, noise()))
  readonly #jobs = makeOnce<RunName, Ended>((run) => this.#finish(run))

  private constructor(neighbours: Neighbours) {
    this.#neighbours = neighbours
  }

  static async open(): Promise<Stage> {
    return new Stage(await startNeighbours())
  }

  get neighbours(): Neighbours {
    return this.#neighbours
  }

  server(run: RunName): Promise<ServerProcess> {
    return this.#servers.get(run)
  }

  /** Asks a server. */
  async ask(
    run: RunName,
    path: string,
    init: RequestInit = {},
    key = keysOf(run).calling
  ): Promise<Answer> {
    const response = await (await this.server(run)).request(path, init, key)
    return { status: response.status, body: await response.json() }
  }

  health(run: RunName): Promise<Answer> {
    return this.ask(run, "/health")
  }

  /** How many attempts of a kind run now. */
  async running(run: RunName, kind: "Fetch" | "Transcribe"): Promise<number> {
    return (await this.health(run)).body.worker.running[kind] ?? 0
  }

  /** Submits a job: a file, or a URL among the parameters. */
  submit(run: RunName, parameters: Readonly<Record<string, string>>, file?: File): Promise<Answer> {
    const body = new FormData()
    for (const [name, value] of Object.entries(parameters)) body.set(name, value)
    if (file !== undefined) body.set("file", file)
    return this.ask(run, "/v1/transcribe", { method: "POST", body })
  }

  /** The one upload of a server that is not a recording: its job fails. */
  upload(run: RunName): Promise<Answer> {
    return this.#uploads.get(run)
  }

  /** Looks at a job until nothing of it waits any more. */
  async finished(run: RunName, id: string): Promise<Answer["body"]> {
    for (;;) {
      const { body } = await this.ask(run, `/v1/status/${id}`)
      const { summary_status, transcription_status, webhook_status } = body
      if (![summary_status, transcription_status, webhook_status].some(isPending)) return body
      await sleep(200)
    }
  }

  /** The one long job of a server, with all that can be had. */
  job(run: RunName): Promise<Ended> {
    return this.#jobs.get(run)
  }

  async #finish(run: RunName): Promise<Ended> {
    const { receiver } = this.#neighbours
    const isAlone = run === "local" || run === "fetching"
    const callback = isAlone ? {} : { callback_url: `${receiver.url}?${run}` }
    const { body: accepted } = isAlone
      ? { body: await (await this.server(run)).upload({ summary: "brief" }, recordings[run]) }
      : await this.submit(run, { summary: "brief", callback_id: run, ...callback }, silence(61))
    return { accepted, done: await this.finished(run, accepted.id) }
  }

  async close(): Promise<void> {
    const started = await Promise.allSettled(this.#servers.made.values())
    for (const each of started) {
      if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]()
    }
    await this.#neighbours.close()
  }
}
