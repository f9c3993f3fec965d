/**
 * The connection of one process to Postgres. It loses the answers to some finished writes, goes
 * silent for a while and lets what was said meanwhile arrive late, or goes silent for good.
 */
import { connect, createServer, type Server, type Socket } from "node:net"
import { Exchange } from "./PostgresExchange.ts"

/** What decides which answers are lost or late. */
interface ProxyChance {
  readonly chance: (share: number) => boolean
}

/** How a proxy treats answers. */
export interface ProxyOptions {
  readonly dice: ProxyChance
  /** The share of answers to writes that are lost. Default: 0.03. */
  readonly lossShare?: number
  /** The share of answers that come late. Default: none. */
  readonly delayShare?: number
}

/** How late they come, in milliseconds. */
const delayMillis = 15

interface Session {
  readonly near: Socket
  readonly far: Socket
}

export class Proxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  lostAnswers = 0
  silences = 0
  readonly #server: Server
  readonly #target: URL
  readonly #options: Required<ProxyOptions>
  readonly #sessions = new Set<Session>()
  #isSilent = false
  #isBenign = false

  private constructor(
    server: Server,
    { options, port, target }: { options: ProxyOptions; port: number; target: URL }
  ) {
    this.#server = server
    this.#target = target
    this.#options = { lossShare: 0.03, delayShare: 0, ...options }
    const url = new URL(target)
    url.hostname = "127.0.0.1"
    url.port = String(port)
    this.url = url.href
    server.on("connection", (near) => this.#open(near))
  }

  /** A proxy to the database of that URL. */
  static open(url: string, options: ProxyOptions): Promise<Proxy> {
    const server = createServer({ pauseOnConnect: true })
    return new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resolve(new Proxy(server, { options, port, target: new URL(url) }))
      })
    )
  }

  /** From now on nothing arrives on either side, and nobody is told. */
  silence(): void {
    this.#isSilent = true
    this.silences += 1
    for (const { far, near } of this.#sessions) for (const each of [far, near]) each.pause()
  }

  /** Lets through what was held back, perhaps long after its sender has given up on it. */
  resume(): void {
    this.#isSilent = false
    for (const { far, near } of this.#sessions) for (const each of [far, near]) each.resume()
  }

  /** Loses no more answers, and delays none. */
  calm(): void {
    this.#isBenign = true
  }

  /** Loses answers again. */
  storm(): void {
    this.#isBenign = false
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
    const { delayShare, dice, lossShare } = this.#options
    const { far, near } = session
    for (const { bytes, isCommitted } of answers) {
      if (isCommitted && !this.#isBenign && dice.chance(lossShare)) {
        this.lostAnswers += 1
        this.#end(session)
        return
      }
      near.write(bytes)
    }
    if (this.#isBenign || delayShare === 0 || !dice.chance(delayShare)) return
    far.pause()
    setTimeout(() => {
      if (!this.#isSilent) far.resume()
    }, delayMillis)
  }

  #end(session: Session): void {
    this.#sessions.delete(session)
    session.near.destroy()
    session.far.destroy()
  }
}
