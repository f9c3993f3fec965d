/**
 * Listens in on a session and Postgres, as far as needed to tell which answers belong to finished
 * writes. Without TLS, because nobody could listen in on that.
 */

/** A message with its head, as it is on the wire. */
export interface Message {
  readonly type: string
  readonly bytes: Buffer
}

export const headLength = 5

/** Cuts a stream of bytes into messages: a type, a length that counts itself, a body. */
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

/** What goes on to the client, and whether it reports a finished write. */
export interface Answer {
  readonly bytes: Buffer
  readonly isCommitted: boolean
}

export class Exchange {
  readonly #fromClient = cutter()
  readonly #fromServer = cutter()
  readonly #prepared = new Map<string, boolean>()
  /** For each outstanding answer: whether its question was to write something. */
  readonly #asked: Array<boolean> = []
  #isGreeted = false
  #isWrite = false
  #held: Array<Message> = []

  /** Notes what a client says. */
  hear(bytes: Buffer): void {
    // The first message has no type.
    const typed = this.#isGreeted ? bytes : bytes.subarray(bytes.readUInt32BE(0))
    this.#isGreeted = true
    for (const message of this.#fromClient(typed)) this.#note(message)
  }

  /** Whole answers of a server, one for each question; other messages come at once. */
  answers(bytes: Buffer): ReadonlyArray<Answer> {
    const done: Array<Answer> = []
    for (const message of this.#fromServer(bytes)) {
      this.#held.push(message)
      if (message.type === "Z") done.push(this.#answer(message))
    }
    if (this.#asked[0] !== true && this.#held.length > 0) {
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
    this.#asked.push(this.#isWrite)
    this.#isWrite = false
  }

  /** `I`, idle: no transaction is open, so the writes are committed. */
  #answer(ready: Message): Answer {
    const isIdle = ready.bytes.toString("latin1", headLength) === "I"
    const hasFailed = this.#held.some(({ type }) => type === "E")
    const isWrite = this.#asked.shift() === true
    return { bytes: this.#release(), isCommitted: isWrite && isIdle && !hasFailed }
  }

  #release(): Buffer {
    const bytes = Buffer.concat(this.#held.map((message) => message.bytes))
    this.#held = []
    return bytes
  }
}
