/**
 * Starts and kills the processes under test, and restarts each one that exits, as an operator
 * would.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { findFreePort, Proxy } from "@verbatim/testkit/servers"
import { programArguments, programEnvironment } from "../Program.ts"
import { readWork, upLine } from "./constants.ts"
import type { Dice } from "./Dice.ts"

/** Pause before a process that has exited is restarted. */
const restartMillis = 200

/**
 * Maximum number of checks until a process has started. The checks take a minute in total, because
 * a start takes seconds on a busy machine.
 */
const startLooksMax = 1_200

/** A slot in the fleet. When its process exits, another one replaces it at the same address. */
export interface Place {
  readonly role: "http" | "worker"
  readonly port: number
  /** The proxy between the process and the database, if there is one. */
  readonly proxy: Proxy | undefined
  child: ChildProcess
  /** Whether all parts of the process are running. */
  isUp: boolean
  /** The time when the engines of the process will have finished, or 0 before the first report. */
  worksUntil: number
  kills: number
}

export interface FleetOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly databaseUrl: string
  /** If set, each process gets a proxy in front of the database, which fails at random. */
  readonly proxyDice?: Dice | undefined
}

/** Node's arguments for a program. */
type Program = ReadonlyArray<string>

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

export class Fleet {
  readonly places: Array<Place> = []
  /** The last log lines of all processes, which are shown if a run fails. */
  readonly said: Array<string> = []
  /** Number of processes that exited by themselves after they were up. */
  falls = 0
  /** The last log lines of the processes that exited by themselves. */
  readonly fallen: Array<string> = []
  readonly #options: FleetOptions
  /** The program that the next processes run. */
  #program: Program = programArguments("member")
  #isOver = false

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** Starts processes with a role, and waits until they listen. */
  async add(role: Place["role"], count: number): Promise<void> {
    const { databaseUrl, proxyDice } = this.#options
    for (let index = 0; index < count; index += 1) {
      const port = await findFreePort()
      const proxy = proxyDice && (await Proxy.open(databaseUrl, { dice: proxyDice }))
      const way = { role, port, proxy }
      const place = { ...way, child: this.#spawn(way), isUp: false, worksUntil: 0, kills: 0 }
      this.#watch(place)
      this.places.push(place)
    }
    await Promise.all(this.places.map((place) => this.#listening(place)))
  }

  /** Kills the process in a slot. Another one is started in its place. */
  async kill(place: Place): Promise<void> {
    while (isGone(place.child)) await sleep(restartMillis / 4)
    const gone = once(place.child, "exit")
    place.kills += 1
    place.child.kill("SIGKILL")
    await gone
  }

  /** Sets the program for all processes that start from now on. */
  deploy(program: Program): void {
    this.#program = program
  }

  /** Stops the process in a slot, and waits until the next one listens. */
  async replace(place: Place): Promise<void> {
    const { child } = place
    const gone = once(child, "exit")
    // The process was stopped intentionally, so its exit is not a crash.
    place.isUp = false
    child.kill("SIGTERM")
    await gone
    for (let looks = 0; place.child === child || !place.isUp; looks += 1) {
      if (looks > startLooksMax) throw new Error(`it does not start:\n${this.said.join("\n")}`)
      await sleep(restartMillis / 4)
    }
    await this.#listening(place)
  }

  /** Stops every process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    for (const { child, proxy } of this.places) {
      const gone = isGone(child) ? undefined : once(child, "exit")
      child.kill("SIGKILL")
      await gone
      proxy?.close()
    }
  }

  get addresses(): ReadonlyArray<string> {
    return this.places
      .filter(({ role }) => role === "http")
      .map(({ port }) => `http://127.0.0.1:${port}`)
  }

  /**
   * Starts another process when the one in a slot exits. The proxy of the old process is closed.
   */
  #watch(place: Place): void {
    const lastWords: Array<string> = []
    // The output is kept with its process, not with the slot, because its last lines may be read
    // after the next process has started.
    const { pid = 0, stderr } = place.child
    place.isUp = false
    place.worksUntil = 0
    createInterface({ input: stderr ?? Readable.from([]) }).on("line", (line) => {
      place.isUp ||= line.includes(upLine)
      const until = readWork(line)
      if (until !== undefined) {
        place.worksUntil = Math.max(place.worksUntil, until)
        return
      }
      lastWords.push(`${place.role} ${pid}: ${line}`)
      if (lastWords.length > 20) lastWords.shift()
      this.said.push(...lastWords.slice(-1))
      if (this.said.length > 500) this.said.shift()
    })
    place.child.once("exit", async (code) => {
      // A process that cannot reach its database may exit during startup, but not later.
      if (code !== null && place.isUp) {
        this.falls += 1
        this.fallen.push(...lastWords)
      }
      place.isUp = false
      await sleep(restartMillis)
      if (this.#isOver) return
      place.proxy?.cut()
      place.proxy?.resume()
      place.child = this.#spawn(place)
      this.#watch(place)
    })
  }

  #spawn({ port, proxy, role }: Pick<Place, "port" | "proxy" | "role">): ChildProcess {
    const { databaseUrl, environment } = this.#options
    return spawn(process.execPath, [...this.#program], {
      env: {
        ...programEnvironment,
        ...environment,
        VERBATIM_DATABASE_URL: proxy?.url ?? databaseUrl,
        VERBATIM_ROLES: role,
        VERBATIM_PORT: String(port)
      },
      stdio: ["ignore", "ignore", "pipe"]
    })
  }

  async #listening({ port, role }: Place): Promise<void> {
    if (role !== "http") return
    for (let looks = 0; looks < startLooksMax; looks += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
      if (answer?.ok) return
      await sleep(50)
    }
    throw new Error(`no process listens on ${port}:\n${this.said.join("\n")}`)
  }
}
