/**
 * Node's HTTP server with an order of its own: one request at a time on a connection, each begun
 * when the one before has its answer; no protocol but HTTP; and an answer in our forms to whatever
 * its parser refuses. A client that does not read costs one answer, however many it asks for.
 */
import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import { isIPv6 } from "node:net"
import { Duration } from "effect"
import {
  answerWith,
  type ConnectionError,
  headByteMax,
  type IdentifiedRefusal,
  identify,
  isAnswerable,
  type OriginHeaders,
  type Refusal,
  type RefusalOptions,
  toBytes,
  toRefusal,
  toTimeout,
  toUnready
} from "./Refusal.ts"

/**
 * Requests that wait on one connection; clients that do not wait for answers send a few. Whoever
 * sends more gets answers to these, and then the end of the connection; the others are not parsed.
 */
export const waitingMax = 32

/**
 * What is still sent after a refusal is read and dropped for this long, so that the client comes to
 * read the answer: bytes that nobody reads would break the connection.
 */
const graceTimeout = Duration.seconds(1)

type Socket = IncomingMessage["socket"]

/** A request with the place for its answer, and what begins to handle it. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly handle: () => void
}

/** What a conversation keeps to. */
interface QueueOptions extends RefusalOptions {
  /** How long a client may wait until an answer begins, in milliseconds. */
  readonly answerTimeout: number
}

/** Ends a connection: its client has a moment to read what was said. */
const closeGracefully = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), Duration.toMillis(graceTimeout)).unref()
  socket.once("close", () => clearTimeout(timer))
  socket.end()
}

/** Reads what still comes, so that it does not break the connection, and makes nothing of it. */
const discardInput = (socket: Socket): void => {
  socket.removeAllListeners("data").on("data", () => undefined)
  socket.resume()
}

/** What is said on a connection, from its beginning. */
class ConnectionQueue {
  readonly #socket: Socket
  readonly #options: QueueOptions
  readonly #waiting: Array<Exchange> = []
  #current: Exchange | undefined
  #begunAt = 0
  #latest: Exchange | undefined
  #isFull = false
  #isRefused = false
  #lastWords: IdentifiedRefusal | undefined

  constructor(socket: Socket, options: QueueOptions) {
    this.#socket = socket
    this.#options = options
  }

  #sayLastWords(refusal: IdentifiedRefusal): void {
    // The request before it was answered early and never ended: these bytes belong to it.
    if (this.#latest?.request.complete !== false) {
      this.#socket.write(toBytes(refusal, this.#options.originHeaders))
    }
    closeGracefully(this.#socket)
  }

  #begin(exchange: Exchange): void {
    this.#current = exchange
    this.#begunAt = performance.now()
    exchange.response.once("close", () => this.#proceed())
    exchange.handle()
  }

  #proceed(): void {
    const current = this.#current
    // An answer that was sent holds its body: a connection may stay unused for long.
    if (this.#latest === current && current?.request.complete) this.#latest = undefined
    this.#current = undefined
    if (this.#socket.destroyed) return
    const next = this.#waiting.shift()
    if (next !== undefined) this.#begin(next)
    else if (this.#lastWords !== undefined) this.#sayLastWords(this.#lastWords)
  }

  #answerUnfinished({ request, response }: Exchange, refusal: IdentifiedRefusal): void {
    const socket = this.#socket
    socket.destroySoon = () => closeGracefully(socket)
    // Whoever reads it must not see its end: what was refused would be done.
    discardInput(socket)
    // Node forgets a request that has its answer, and whoever reads it would wait for ever.
    socket.once("close", () => request.destroy(new Error("The request never ended")))
    if (response.headersSent) closeGracefully(socket)
    else answerWith(response, refusal, this.#options.originHeaders)
  }

  /** Takes the next request. */
  take(exchange: Exchange): void {
    const socket = this.#socket
    if (this.#isRefused || socket.destroyed) return
    if (this.#isFull) {
      discardInput(socket)
      return
    }
    this.#latest = exchange
    if (this.#current === undefined) {
      this.#begin(exchange)
      return
    }
    this.#waiting.push(exchange)
    if (this.#waiting.length < waitingMax) return
    this.#isFull = true
    // Node ends the connection after an answer that says so, and the client has still to read it.
    exchange.response.shouldKeepAlive = false
    socket.destroySoon = () => closeGracefully(socket)
  }

  /** The request whose end has not come; nothing can follow it. */
  findUnfinished(): IncomingMessage | undefined {
    return this.#latest?.request.complete === false ? this.#latest.request : undefined
  }

  /** Whether an answer to an earlier request, or a refusal, is still to be read. */
  hasUnreadAnswer(): boolean {
    return this.#isRefused || (this.#current !== undefined && this.#current !== this.#latest)
  }

  /** Whether an answer is due that has not begun: until then the client has nothing to say. */
  isAnswerPending(): boolean {
    return (
      this.#current?.request.complete === true &&
      !this.#current.response.headersSent &&
      performance.now() - this.#begunAt < this.#options.answerTimeout
    )
  }

  /** Tells the answer under way that the socket takes more, where Node no longer does. */
  resume(): void {
    this.#current?.response.emit("drain")
  }

  /** Refuses what comes now, after the answers to all that came before, and closes. */
  refuse(said: Refusal): void {
    const unfinished = this.findUnfinished()
    // Nothing is said about what comes after the last request that is answered.
    if (this.#isRefused || (this.#isFull && unfinished === undefined)) return
    this.#isRefused = true
    const refusal = identify(said, unfinished)
    this.#options.onRefused(refusal)
    const latest = this.#latest
    if (!this.#socket.writable) this.#socket.destroy()
    else if (this.#current === undefined) this.#sayLastWords(refusal)
    else if (unfinished === undefined || latest === undefined) this.#lastWords = refusal
    else if (latest === this.#current) this.#answerUnfinished(latest, refusal)
    else {
      this.#waiting.pop()
      this.#waiting.push({ ...latest, handle: () => this.#answerUnfinished(latest, refusal) })
    }
  }
}

/** The events that bring a request; what is expected of us is judged with everything else. */
const requestEvents: Readonly<Record<string, string>> = {
  request: "request",
  checkContinue: "checkContinue",
  checkExpectation: "request"
}

const queues = new WeakMap<Socket, ConnectionQueue>()

/** Each connection has one, from its beginning. */
const findQueue = (socket: Socket): ConnectionQueue => {
  const known = queues.get(socket)
  if (known === undefined) throw new Error("a connection has no queue")
  return known
}

/** Answers what the parser refused, or closes where nobody is left. */
const onClientError = (error: ConnectionError, socket: Socket): void => {
  if (!isAnswerable(error)) return void socket.destroy()
  const queue = findQueue(socket)
  queue.refuse(toRefusal(error, queue.findUnfinished()))
}

/**
 * Nothing was sent, read or answered for too long. Who waits for us goes on waiting. Who owes us a
 * request is told so, unless it has not read what we said before: this is the last time that
 * anything looks at the connection.
 */
const onTimeout = (socket: Socket): void => {
  const queue = findQueue(socket)
  const unfinished = queue.findUnfinished()
  if (unfinished === undefined && queue.isAnswerPending()) {
    // A time-out comes once.
    socket.setTimeout(socket.timeout ?? 0)
    return
  }
  if (unfinished === undefined || queue.hasUnreadAnswer()) socket.destroy()
  else queue.refuse(toTimeout(unfinished))
}

/**
 * A tunnel is not what we are: without a listener, Node closes without a word. With one, it takes
 * its own listeners off the socket; what they did for the answers before this one is done here.
 */
const onConnect = ({ headers: { origin } }: IncomingMessage, socket: Socket): void => {
  const message = "Invalid request: its method is unknown"
  const queue = findQueue(socket)
  socket.on("error", () => socket.destroy()).on("timeout", () => onTimeout(socket))
  socket.on("drain", () => queue.resume()).resume()
  queue.refuse({ status: 400, message, path: "", origin })
}

/** What clients may take of the server. All times in milliseconds. */
export interface ServerLimits extends QueueOptions {
  readonly connectionsPerAddress: number
  /** Of all addresses; Node closes any further one at once. */
  readonly connections: number
  readonly headersTimeout: number
  /** For the body of a request that carries no file. */
  readonly textTimeout: number
  readonly requestTimeout: number
  /** Between an answer and the next request of its connection. */
  readonly keepAliveTimeout: number
  readonly connectionsCheckingInterval: number
}

/**
 * Tells a client that it has too many connections. It reads that, or it does not: we go on. Nobody
 * asked anything yet, so the page that it is for is not known.
 */
const refuseConnection = (socket: Socket, { onRefused, originHeaders }: RefusalOptions): void => {
  const refusal = identify({ status: 429, message: "Too many connections", path: "" })
  onRefused(refusal)
  socket.end(toBytes(refusal, originHeaders), () => socket.destroy())
}

const onConnection = ({ connectionsPerAddress, ...options }: ServerLimits) => {
  const addresses = makeAddresses(connectionsPerAddress)
  return (socket: Socket): void => {
    queues.set(socket, new ConnectionQueue(socket, options))
    const leave = addresses.enter(socket.remoteAddress ?? "")
    if (leave === undefined) refuseConnection(socket, options)
    else socket.once("close", leave)
  }
}

/** Files come as parts of a form; everything else is text of two megabytes at most. */
const isText = ({ headers }: IncomingMessage): boolean =>
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0) &&
  !/^\s*multipart\//i.test(headers["content-type"] ?? "")

/** A text that is still on its way after that time is refused: whoever reads it holds it. */
const limitTime = (request: IncomingMessage, timeout: number): void => {
  const timer = setTimeout(() => {
    const queue = findQueue(request.socket)
    if (queue.findUnfinished() !== request) return
    queue.refuse(toTimeout(request))
  }, timeout).unref()
  request.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer))
}

/**
 * For requests still arriving when their answer has ended. Whoever goes on sending after that is
 * disconnected: an answered request would hold its connection until its time is over.
 */
const latenessMax = Duration.seconds(1)

/** Disconnects a client that does not end its request although it has its answer. */
const limitLateness = (request: IncomingMessage, response: ServerResponse): void => {
  const isUnfinished = () => !request.complete && !request.socket.destroyed
  const close = () => isUnfinished() && request.socket.destroy()
  response.once("finish", () => {
    if (isUnfinished()) setTimeout(close, Duration.toMillis(latenessMax)).unref()
  })
}

/** Of a silent connection, in milliseconds, before the system asks whether its client is there. */
const probeDelay = 60_000

export class SequentialServer extends Server {
  readonly #originHeaders: OriginHeaders
  readonly #textTimeout: number

  constructor(limits: ServerLimits) {
    const {
      answerTimeout: ____,
      connections,
      connectionsPerAddress: _,
      onRefused: __,
      originHeaders,
      textTimeout,
      ...times
    } = limits
    // A request without a host is judged with everything else, where its API is known.
    super({
      ...times,
      maxHeaderSize: headByteMax,
      requireHostHeader: false,
      // Of a client that waits for its answer only the system can tell that it is gone.
      keepAlive: true,
      keepAliveInitialDelay: probeDelay
    })
    this.maxConnections = connections
    this.#originHeaders = originHeaders
    this.#textTimeout = textTimeout
    super.on("connection", onConnection(limits))
    super.on("clientError", onClientError)
    super.on("timeout", onTimeout)
    super.on("connect", onConnect)
    // Without a listener, Node answers by itself, with an empty body.
    super.on("checkExpectation", () => undefined)
  }

  /**
   * Nobody upgrades: with a listener, Node would hand the connection over, and nothing of ours
   * would watch it any more. Without one, the header means nothing, and the request is like others.
   */
  override on(event: string, listener: (...args: Array<never>) => void): this {
    if (event === "upgrade") return this
    return super.on(event, listener as () => void)
  }

  override emit(event: string, ...args: ReadonlyArray<unknown>): boolean {
    const name = requestEvents[event]
    if (name === undefined) return super.emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const handle = () => {
      // It was refused meanwhile, by what came behind its head.
      if (response.headersSent || request.destroyed) return
      limitLateness(request, response)
      // The port is ours before the store is ready: until then, nothing listens to requests.
      if (this.listenerCount(name) === 0) {
        return answerWith(response, identify(toUnready(request), request), this.#originHeaders)
      }
      super.emit(name, request, response)
    }
    const queue = findQueue(request.socket)
    if (!isText(request)) {
      queue.take({ request, response, handle })
      return true
    }
    let isFirst = false
    let isParsed = false
    const begin = () => {
      isFirst = true
      if (isParsed) handle()
    }
    queue.take({ request, response, handle: begin })
    // Most bodies come along with their heads, and are here when what was read is parsed: whoever
    // reads such a one waits for no pieces, and nobody has to watch how long it takes.
    setImmediate(() => {
      isParsed = true
      if (!request.complete) limitTime(request, this.#textTimeout)
      if (isFirst) handle()
    })
    return true
  }
}

/** Names whoever is behind an address. */
export const toOrigin = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [before = "", after] = (address.split("%")[0] ?? "").split("::")
  const left = before === "" ? [] : before.split(":")
  const right = after === undefined || after === "" ? [] : after.split(":")
  const zeros = after === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":")
}

/** Counts connections by where they come from. */
const makeAddresses = (connectionMax: number) => {
  const open = new Map<string, number>()
  return {
    /** Takes a connection, until it is told to leave; nothing where there is no place. */
    enter: (address: string): (() => void) | undefined => {
      const origin = toOrigin(address)
      const count = open.get(origin) ?? 0
      if (count >= connectionMax) return undefined
      open.set(origin, count + 1)
      return () => {
        const left = (open.get(origin) ?? 1) - 1
        if (left > 0) open.set(origin, left)
        else open.delete(origin)
      }
    }
  }
}
