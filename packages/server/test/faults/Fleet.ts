/**
 * The processes under test: started, killed without a word, and started again, even when they end
 * by themselves, as by anybody who runs servers.
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

/** Before a process that ended is started again. */
const restartMillis = 200

/** A minute: a start takes seconds where the machine is busy. */
const startLooksMax = 1_200

/** A place in the fleet. Its process changes, its address stays. */
export interface Place {
  readonly role: "http" | "worker"
  readonly port: number
  /** Its proxy to the database, if it has one. */
  readonly proxy: Proxy | undefined
  child: ChildProcess
  /** Whether everything in the process runs. */
  isUp: boolean
  /** Until when an engine of it works; 0 when it has not said so yet. */
  worksUntil: number
  kills: number
}

/** What all processes are started with. */
export interface FleetOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly databaseUrl: string
  /** Puts a proxy before the database. */
  readonly proxyDice?: Dice | undefined
}

/** What a program is given to Node as. */
type Program = ReadonlyArray<string>

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

export class Fleet {
  readonly places: Array<Place> = []
  /** What processes said last, to be shown when a run fails. */
  readonly said: Array<string> = []
  /** Processes that ended by themselves after they were up. */
  falls = 0
  /** What those said last. */
  readonly fallen: Array<string> = []
  readonly #options: FleetOptions
  /** What the next processes run. */
  #program: Program = programArguments("member")
  #isOver = false

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** Starts processes with a role, and waits until those that listen do. */
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

  /** Kills the process at a place; another one is started there. */
  async kill(place: Place): Promise<void> {
    while (isGone(place.child)) await sleep(restartMillis / 4)
    const gone = once(place.child, "exit")
    place.kills += 1
    place.child.kill("SIGKILL")
    await gone
  }

  /** From now on, processes that are started run that program. */
  deploy(program: Program): void {
    this.#program = program
  }

  /** Asks the process at a place to stop, and waits until the next one listens there. */
  async replace(place: Place): Promise<void> {
    const { child } = place
    const gone = once(child, "exit")
    // It does not fall: it was asked to.
    place.isUp = false
    child.kill("SIGTERM")
    await gone
    for (let looks = 0; place.child === child || !place.isUp; looks += 1) {
      if (looks > startLooksMax) throw new Error(`it does not start:\n${this.said.join("\n")}`)
      await sleep(restartMillis / 4)
    }
    await this.#listening(place)
  }

  /** Ends every process. */
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

  /** Starts another process whenever one has ended. The proxy of the previous one is forgotten. */
  #watch(place: Place): void {
    const lastWords: Array<string> = []
    // Not the place's: the last lines of a process may be read when another one has begun.
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
      // One that cannot reach its database may end while it starts, and not after.
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
