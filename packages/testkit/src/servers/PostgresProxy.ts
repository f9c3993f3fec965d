/**
 * A proxy between one process and Postgres. It can lose the responses to finished writes, delay
 * messages, or stop delivery permanently.
 */

import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"

/** Decides which responses are lost or late. */
interface ProxyChance {
  readonly chance: (share: number) => boolean
}

interface ProxyOptions {
  readonly dice: ProxyChance
  /** The share of write responses that are lost. Default: 0.03. */
  readonly lossShare?: number
  /** The share of responses that are late. Default: 0. */
  readonly delayShare?: number
}

/** The delay of late responses, in milliseconds. */
const delayMillis = 15

interface Session {
  readonly near: Socket
  readonly far: Socket
}

export class Proxy {
  /** The database's URL through the proxy. */
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

  /** Opens a proxy to the database at the given URL. */
  static async open(url: string, options: ProxyOptions): Promise<Proxy> {
    const server = createServer({ pauseOnConnect: true })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = Object(server.address())
    return new Proxy(server, { options, port, target: new URL(url) })
  }

  /** Stops delivery in both directions, but leaves connections open. */
  silence(): void {
    this.#isSilent = true
    this.silences += 1
    for (const { far, near } of this.#sessions) for (const each of [far, near]) each.pause()
  }

  /** Delivers the messages that were held back, perhaps long after their senders have timed out. */
  resume(): void {
    this.#isSilent = false
    for (const { far, near } of this.#sessions) for (const each of [far, near]) each.resume()
  }

  /** Stops losing and delaying responses. */
  calm(): void {
    this.#isBenign = true
  }

  /** Starts losing responses again. */
  storm(): void {
    this.#isBenign = false
  }

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

/** A message with its header, as on the wire. */
export interface Message {
  readonly type: string
  readonly bytes: Buffer
}

export const headLength = 5

/** Splits a stream of bytes into messages: a type, a length that includes itself, and a body. */
export const cutter = () => {
  let rest = Buffer.alloc(0)
  return (bytes: Buffer): ReadonlyArray<Message> => {
    rest = Buffer.concat([rest, bytes])
    const messages: Array<Message> = []
    while (rest.length >= headLength) {
      const end = 1 + rest.readUInt32BE(1)
      if (rest.length < end) break
      messages.push({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, end) })
      rest = rest.subarray(end)
    }
    return messages
  }
}

const terms = ({ bytes }: Message): ReadonlyArray<string> =>
  bytes.toString("utf8", headLength).split("\0")

const writes = (statement: string): boolean => /\b(?:INSERT|UPDATE|DELETE|COMMIT)\b/.test(statement)

/** Bytes for the client. They may report a finished write. */
interface Answer {
  readonly bytes: Buffer
  readonly isCommitted: boolean
}

class Exchange {
  readonly #fromClient = cutter()
  readonly #fromServer = cutter()
  readonly #prepared = new Map<string, boolean>()
  /** Whether each query with an outstanding response is a write. */
  readonly #outstanding: Array<boolean> = []
  #isGreeted = false
  #isWrite = false
  #held: Array<Message> = []

  /** Records messages from the client. */
  hear(bytes: Buffer): void {
    // The first message has no type.
    const typed = this.#isGreeted ? bytes : bytes.subarray(bytes.readUInt32BE(0))
    this.#isGreeted = true
    for (const message of this.#fromClient(typed)) this.#note(message)
  }

  /** Returns the server's complete responses, one per query. Other messages pass immediately. */
  answers(bytes: Buffer): ReadonlyArray<Answer> {
    const done: Array<Answer> = []
    for (const message of this.#fromServer(bytes)) {
      this.#held.push(message)
      if (message.type === "Z") done.push(this.#answer(message))
    }
    if (this.#outstanding[0] !== true && this.#held.length > 0) {
      done.push({ bytes: this.#release(), isCommitted: false })
    }
    return done
  }

  #note(message: Message): void {
    const [first = "", second = ""] = terms(message)
    if (message.type === "P") this.#prepared.set(first, writes(second))
    if (message.type === "B") this.#isWrite ||= this.#prepared.get(second) === true
    if (message.type === "Q") this.#isWrite ||= writes(first)
    if (message.type !== "Q" && message.type !== "S") return
    this.#outstanding.push(this.#isWrite)
    this.#isWrite = false
  }

  /** The status `I` (idle) means that no transaction is open, so the writes are committed. */
  #answer(ready: Message): Answer {
    const isIdle = ready.bytes.toString("latin1", headLength) === "I"
    const hasFailed = this.#held.some(({ type }) => type === "E")
    const isWrite = this.#outstanding.shift() === true
    return { bytes: this.#release(), isCommitted: isWrite && isIdle && !hasFailed }
  }

  #release(): Buffer {
    const bytes = Buffer.concat(this.#held.map((message) => message.bytes))
    this.#held = []
    return bytes
  }
}
