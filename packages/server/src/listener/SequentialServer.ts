/**
 * Node's HTTP server with stricter rules. A connection handles one request at a time. HTTP is the
 * only protocol. Everything that the parser refuses gets a response in one of our formats. If a
 * client does not read, only one response is kept in memory, however many requests it sends.
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
 * Maximum number of waiting requests on one connection. Clients that do not wait for responses send
 * only a few. If more arrive, the connection is closed after the waiting ones are answered, and the
 * others are not parsed.
 */
export const waitingMax = 32

/**
 * After a refusal, further input is read and discarded for this long. Unread bytes would break the
 * connection before the client has read the response.
 */
const graceTimeout = Duration.seconds(1)

type Socket = IncomingMessage["socket"]

/** A request, its response, and the function that starts handling it. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly handle: () => void
}

/** The timeouts of the server, in milliseconds. */
export interface ServerTimes {
  /** A client must send the headers of a request within this time. */
  readonly headersTimeout: number
  /** A client must send a body without a file within this time. */
  readonly textTimeout: number
  /** A client must send a whole request within this time. */
  readonly requestTimeout: number
  /** A response must begin within this time, which is longer than any intended wait. */
  readonly answerTimeout: number
  /** A connection is closed if no request follows a response within this time. */
  readonly keepAliveTimeout: number
  /**
   * Timeouts are checked at this interval. With Node's default of 30 s, a timeout could last twice
   * as long as intended.
   */
  readonly connectionsCheckingInterval: number
}

interface QueueOptions extends RefusalOptions, Pick<ServerTimes, "answerTimeout"> {}

/** Closes a connection, but leaves the client time to read the response. */
const closeGracefully = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), Duration.toMillis(graceTimeout)).unref()
  socket.once("close", () => clearTimeout(timer))
  socket.end()
}

/** Reads and discards further input, because unread input would break the connection. */
const discardInput = (socket: Socket): void => {
  socket.removeAllListeners("data").on("data", () => undefined)
  socket.resume()
}

/** The requests of one connection, which are handled one after another. */
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
    // The previous request was answered before it ended, so these bytes still belong to it.
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
    // A response keeps a reference to its body, which would stay in memory while the connection is
    // idle.
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
    // The handler must not see the end of the refused request, because it would then run the
    // request.
    discardInput(socket)
    // Node forgets a request after its response, so code that still reads the request would wait
    // forever.
    socket.once("close", () => request.destroy(new Error("The request never ended")))
    if (response.headersSent) closeGracefully(socket)
    else answerWith(response, refusal, this.#options.originHeaders)
  }

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
    // Node closes the connection after a response that announces this, but the client still has to
    // read the response.
    exchange.response.shouldKeepAlive = false
    socket.destroySoon = () => closeGracefully(socket)
  }

  /**
   * Returns the request that has not ended yet. No other request can follow it on the connection.
   */
  findUnfinished(): IncomingMessage | undefined {
    return this.#latest?.request.complete === false ? this.#latest.request : undefined
  }

  /** Whether the client still has to read an earlier response or a refusal. */
  hasUnreadAnswer(): boolean {
    return this.#isRefused || (this.#current !== undefined && this.#current !== this.#latest)
  }

  /**
   * Whether a request is waiting for a response that has not begun. Until it begins, the client has
   * nothing to send.
   */
  isAnswerPending(): boolean {
    return (
      this.#current?.request.complete === true &&
      !this.#current.response.headersSent &&
      performance.now() - this.#begunAt < this.#options.answerTimeout
    )
  }

  /** Resumes the current response when the socket has drained, if Node no longer does so. */
  resume(): void {
    this.#current?.response.emit("drain")
  }

  /** Refuses the current input once all earlier responses are sent, and closes the connection. */
  refuse(said: Refusal): void {
    const unfinished = this.findUnfinished()
    // If too many requests have arrived, input after the last accepted one is ignored.
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

/** Events that carry a request. Expectations are checked later, with the rest of the request. */
const requestEvents: Readonly<Record<string, string>> = {
  request: "request",
  checkContinue: "checkContinue",
  checkExpectation: "request"
}

const queues = new WeakMap<Socket, ConnectionQueue>()

const findQueue = (socket: Socket): ConnectionQueue => {
  const known = queues.get(socket)
  if (known === undefined) throw new Error("a connection has no queue")
  return known
}

/** Sends a refusal for input that the parser could not read, or closes a broken connection. */
const onClientError = (error: ConnectionError, socket: Socket): void => {
  if (!isAnswerable(error)) return void socket.destroy()
  const queue = findQueue(socket)
  queue.refuse(toRefusal(error, queue.findUnfinished()))
}

/**
 * Handles a connection that has been idle for too long. The connection stays open while the client
 * waits for a response. A client that has not finished its request gets a 408. If the client has
 * not even read an earlier response, the connection is closed, because no further timeout would
 * follow.
 */
const onTimeout = (socket: Socket): void => {
  const queue = findQueue(socket)
  const unfinished = queue.findUnfinished()
  if (unfinished === undefined && queue.isAnswerPending()) {
    // Sets the timeout again, because it fires only once.
    socket.setTimeout(socket.timeout ?? 0)
    return
  }
  if (unfinished === undefined || queue.hasUnreadAnswer()) socket.destroy()
  else queue.refuse(toTimeout(unfinished))
}

/**
 * Refuses a tunnel. Without a listener, Node would close the connection without a response. With
 * one, Node removes its own listeners from the socket, so this function does their work for earlier
 * responses.
 */
const onConnect = ({ headers: { origin } }: IncomingMessage, socket: Socket): void => {
  const message = "Invalid request: its method is unknown"
  const queue = findQueue(socket)
  socket.on("error", () => socket.destroy()).on("timeout", () => onTimeout(socket))
  socket.on("drain", () => queue.resume()).resume()
  queue.refuse({ status: 400, message, path: "", origin })
}

/** The server's limits. */
export interface ServerLimits extends RefusalOptions, ServerTimes {
  readonly connectionsPerAddress: number
  /**
   * Maximum number of connections from all addresses. Node closes further connections immediately.
   */
  readonly connections: number
}

/**
 * Refuses a client that has too many connections. The connection is closed even if the client does
 * not read the refusal. There is no request yet, so the path is unknown.
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

/** Whether a request has a body without files. Only forms contain files; any other body is text. */
const isText = ({ headers }: IncomingMessage): boolean =>
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0) &&
  !/^\s*multipart\//i.test(headers["content-type"] ?? "")

/**
 * Refuses a text body that takes too long to arrive, because its reader keeps the text in memory.
 */
const limitTime = (request: IncomingMessage, timeout: number): void => {
  const timer = setTimeout(() => {
    const queue = findQueue(request.socket)
    if (queue.findUnfinished() !== request) return
    queue.refuse(toTimeout(request))
  }, timeout).unref()
  request.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer))
}

/**
 * A client that is still sending its request this long after the response is disconnected.
 * Otherwise, it would occupy the connection until the timeout.
 */
const latenessMax = Duration.seconds(1)

/** Disconnects a client that keeps sending its request after the response. */
const limitLateness = (request: IncomingMessage, response: ServerResponse): void => {
  const isUnfinished = () => !request.complete && !request.socket.destroyed
  const close = () => isUnfinished() && request.socket.destroy()
  response.once("finish", () => {
    if (isUnfinished()) setTimeout(close, Duration.toMillis(latenessMax)).unref()
  })
}

/** The operating system probes a connection that has been silent for this many milliseconds. */
const probeDelay = 60_000

export class SequentialServer extends Server {
  readonly #originHeaders: OriginHeaders
  readonly #textTimeout: number

  constructor(limits: ServerLimits) {
    // Node ignores limits that it does not know. A request without a host is refused later, when
    // the requested API is known.
    super({
      ...limits,
      maxHeaderSize: headByteMax,
      requireHostHeader: false,
      // The operating system probes connections. Nothing else can detect that a waiting client is
      // gone.
      keepAlive: true,
      keepAliveInitialDelay: probeDelay
    })
    this.maxConnections = limits.connections
    this.#originHeaders = limits.originHeaders
    this.#textTimeout = limits.textTimeout
    super.on("connection", onConnection(limits))
    super.on("clientError", onClientError)
    super.on("timeout", onTimeout)
    super.on("connect", onConnect)
    // Without this listener, Node itself would respond with an empty body.
    super.on("checkExpectation", () => undefined)
  }

  /**
   * Ignores listeners for upgrades, because Node would hand over the connection and no longer watch
   * it. Without a listener, the `Upgrade` header has no effect, and the request is handled like any
   * other.
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
      // The request has already been refused because of the input that followed its headers.
      if (response.headersSent || request.destroyed) return
      limitLateness(request, response)
      // The port opens before the store is ready, and until then, nothing handles requests.
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
    // Most bodies arrive together with their headers and are complete once the input is parsed.
    // Such a body needs no time limit, because nothing waits for more of it.
    setImmediate(() => {
      isParsed = true
      if (!request.complete) limitTime(request, this.#textTimeout)
      if (isFirst) handle()
    })
    return true
  }
}

/** Returns the origin of a connection: an IPv4 address, or a 64-bit IPv6 network. */
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

/** Counts connections by origin. */
const makeAddresses = (connectionMax: number) => {
  const open = new Map<string, number>()
  return {
    /**
     * Adds a connection and returns a function that removes it. Returns undefined if there are too
     * many.
     */
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
