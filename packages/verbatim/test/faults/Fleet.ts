/** The processes under test: started, killed without a word, and started again. */
import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:net"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("Member.ts", import.meta.url))

/** A place in the fleet. Its process changes, its address stays. */
export interface Place {
  readonly role: "http" | "worker"
  readonly port: number
  child: ChildProcess
  kills: number
}

/** A port that was free a moment ago. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

export class Fleet {
  readonly places: Array<Place> = []
  /** What processes said last, to be shown when a run fails. */
  readonly said: Array<string> = []
  readonly #environment: Readonly<Record<string, string>>
  #isOver = false

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment
  }

  /** Starts processes with a role, and waits until those that listen do. */
  async add(role: Place["role"], count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const port = await freePort()
      this.places.push({ role, port, child: this.#spawn(role, port), kills: 0 })
    }
    await Promise.all(this.places.map((place) => this.#listening(place)))
  }

  /** Kills the process at a place, and starts another one there. */
  async kill(place: Place): Promise<void> {
    const gone = new Promise((resolve) => place.child.once("exit", resolve))
    place.child.kill("SIGKILL")
    await gone
    place.kills += 1
    if (!this.#isOver) place.child = this.#spawn(place.role, place.port)
  }

  /** Ends every process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await Promise.all(this.places.map((place) => this.kill(place)))
  }

  get addresses(): ReadonlyArray<string> {
    return this.places
      .filter(({ role }) => role === "http")
      .map(({ port }) => `http://127.0.0.1:${port}`)
  }

  #spawn(role: Place["role"], port: number): ChildProcess {
    const child = spawn(process.execPath, ["--conditions=@verbatim/source", program], {
      env: {
        ...process.env,
        ...this.#environment,
        VERBATIM_ROLES: role,
        VERBATIM_PORT: String(port)
      },
      stdio: ["ignore", "ignore", "pipe"]
    })
    createInterface({ input: child.stderr }).on("line", (line) => {
      this.said.push(`${role} ${child.pid}: ${line}`)
      if (this.said.length > 500) this.said.shift()
    })
    return child
  }

  async #listening({ port, role }: Place): Promise<void> {
    if (role !== "http") return
    for (let tries = 0; tries < 600; tries += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
      if (answer?.ok) return
      await sleep(50)
    }
    throw new Error(`no process listens on ${port}:\n${this.said.join("\n")}`)
  }
}
