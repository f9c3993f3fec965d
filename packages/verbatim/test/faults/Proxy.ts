/**
 * The way of one process to Postgres. It loses the answers of some writes that are done, goes
 * silent for a while, and lets what was said meanwhile arrive late; or goes silent for good.
 */
import { connect, createServer, type Server, type Socket } from "node:net"
import type { Dice } from "./Dice.ts"
import { Exchange } from "./Exchange.ts"

/** Answers that are lost, of all that tell of a write. */
const lossShare = 0.03

interface Session {
  readonly near: Socket
  readonly far: Socket
}

export class Proxy {
  /** The database, this way. */
  readonly url: string
  lostAnswers = 0
  silences = 0
  readonly #server: Server
  readonly #target: URL
  readonly #dice: Dice
  readonly #sessions = new Set<Session>()
  #isSilent = false
  #isBenign = false

  private constructor(
    server: Server,
    { dice, port, target }: { dice: Dice; port: number; target: URL }
  ) {
    this.#server = server
    this.#target = target
    this.#dice = dice
    const url = new URL(target)
    url.hostname = "127.0.0.1"
    url.port = String(port)
    this.url = url.href
    server.on("connection", (near) => this.#open(near))
  }

  /** A way to the database of that URL. */
  static open(url: string, dice: Dice): Promise<Proxy> {
    const server = createServer({ pauseOnConnect: true })
    return new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resolve(new Proxy(server, { dice, port, target: new URL(url) }))
      })
    )
  }

  /** From now on nothing arrives on either side, and nobody is told. */
  silence(): void {
    this.#isSilent = true
    this.silences += 1
    for (const { far, near } of this.#sessions) for (const each of [far, near]) each.pause()
  }

  /** Lets through what was held back, long after its sender has given up on it perhaps. */
  resume(): void {
    this.#isSilent = false
    for (const { far, near } of this.#sessions) for (const each of [far, near]) each.resume()
  }

  /** Loses no more answers. */
  calm(): void {
    this.#isBenign = true
  }

  /** Cuts every connection. */
  cut(): void {
    for (const session of this.#sessions) this.#end(session)
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #open(near: Socket): void {
    const far = connect({ host: this.#target.hostname, port: Number(this.#target.port || 5432) })
    const session = { near, far }
    const exchange = new Exchange()
    this.#sessions.add(session)
    for (const socket of [near, far]) {
      socket.on("error", () => this.#end(session))
      socket.on("close", () => this.#end(session))
    }
    near.on("data", (bytes) => {
      exchange.hear(bytes)
      far.write(bytes)
    })
    far.on("data", (bytes) => this.#forward(session, exchange.answers(bytes)))
    if (this.#isSilent) for (const socket of [near, far]) socket.pause()
    else near.resume()
  }

  #forward(session: Session, answers: ReturnType<Exchange["answers"]>): void {
    for (const { bytes, isCommitted } of answers) {
      if (isCommitted && !this.#isBenign && this.#dice.chance(lossShare)) {
        this.lostAnswers += 1
        this.#end(session)
        return
      }
      session.near.write(bytes)
    }
  }

  #end(session: Session): void {
    this.#sessions.delete(session)
    session.near.destroy()
    session.far.destroy()
  }
}
