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
  isAnswerable,
  type NamedRefusal,
  type OriginHeaders,
  type Refusal,
  type Refusing,
  toBytes,
  toNamed,
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
interface Terms extends Refusing {
  /** How long a client may wait until an answer begins, in milliseconds. */
  readonly answerTimeout: number
}

interface Conversation {
  /** Takes the next request. */
  readonly take: (exchange: Exchange) => void
  /** The request whose end has not come; nothing can follow it. */
  readonly findUnfinished: () => IncomingMessage | undefined
  /** Whether an answer to an earlier request, or a refusal, is still to be read. */
  readonly isOwing: () => boolean
  /** Whether an answer is due that has not begun: until then the client has nothing to say. */
  readonly isAwaited: () => boolean
  /** Tells the answer under way that the socket takes more, where Node no longer does. */
  readonly resume: () => void
  /** Refuses what comes now, after the answers to all that came before, and closes. */
  readonly refuse: (refusal: Refusal) => void
}

/** Ends a connection: its client has a moment to read what was said. */
const linger = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), Duration.toMillis(graceTimeout)).unref()
  socket.once("close", () => clearTimeout(timer))
  socket.end()
}

/** Reads what still comes, so that it does not break the connection, and makes nothing of it. */
const drop = (socket: Socket): void => {
  socket.removeAllListeners("data").on("data", () => undefined)
  socket.resume()
}

/** Begins the conversation on a connection. */
const makeConversation = (
  socket: Socket,
  { answerTimeout, onRefused, originHeaders }: Terms
): Conversation => {
  const waiting: Array<Exchange> = []
  let current: Exchange | undefined
  let begunAt = 0
  let latest: Exchange | undefined
  let isFull = false
  let isRefused = false
  let lastWords: NamedRefusal | undefined

  const sayLastWords = (refusal: NamedRefusal) => {
    // The request before it was answered early and never ended: these bytes belong to it.
    if (latest?.request.complete !== false) socket.write(toBytes(refusal, originHeaders))
    linger(socket)
  }

  const begin = (exchange: Exchange) => {
    current = exchange
    begunAt = performance.now()
    exchange.response.once("close", proceed)
    exchange.handle()
  }

  const proceed = () => {
    // An answer that was sent holds its body: a connection may stay unused for long.
    if (latest === current && current?.request.complete) latest = undefined
    current = undefined
    if (socket.destroyed) return
    const next = waiting.shift()
    if (next !== undefined) begin(next)
    else if (lastWords !== undefined) sayLastWords(lastWords)
  }

  const findUnfinished = () => (latest?.request.complete === false ? latest.request : undefined)

  const isOwing = () => isRefused || (current !== undefined && current !== latest)

  const isAwaited = () =>
    current?.request.complete === true &&
    !current.response.headersSent &&
    performance.now() - begunAt < answerTimeout

  const answerUnfinished = ({ request, response }: Exchange, refusal: NamedRefusal) => {
    socket.destroySoon = () => linger(socket)
    // Whoever reads it must not see its end: what was refused would be done.
    drop(socket)
    // Node forgets a request that has its answer, and whoever reads it would wait for ever.
    socket.once("close", () => request.destroy(new Error("The request never ended")))
    if (response.headersSent) return linger(socket)
    answerWith(response, refusal, originHeaders)
  }

  return {
    take: (exchange) => {
      if (isRefused || socket.destroyed) return
      if (isFull) return drop(socket)
      latest = exchange
      if (current === undefined) return begin(exchange)
      waiting.push(exchange)
      if (waiting.length < waitingMax) return
      isFull = true
      // Node ends the connection after an answer that says so, and the client has still to read it.
      exchange.response.shouldKeepAlive = false
      socket.destroySoon = () => linger(socket)
    },
    findUnfinished,
    isOwing,
    isAwaited,
    resume: () => void current?.response.emit("drain"),
    refuse: (said) => {
      // Nothing is said about what comes after the last request that is answered.
      if (isRefused || (isFull && findUnfinished() === undefined)) return
      isRefused = true
      const refusal = toNamed(said, findUnfinished())
      onRefused(refusal)
      if (!socket.writable) socket.destroy()
      else if (current === undefined) sayLastWords(refusal)
      else if (findUnfinished() === undefined || latest === undefined) lastWords = refusal
      else if (latest === current) answerUnfinished(current, refusal)
      else {
        const unfinished = latest
        waiting.pop()
        waiting.push({ ...unfinished, handle: () => answerUnfinished(unfinished, refusal) })
      }
    }
  }
}

/** The events that bring a request; what is expected of us is judged with everything else. */
const requestEvents: Readonly<Record<string, string>> = {
  request: "request",
  checkContinue: "checkContinue",
  checkExpectation: "request"
}

const conversations = new WeakMap<Socket, Conversation>()

/** Each connection has one, from its beginning. */
const findConversation = (socket: Socket): Conversation => {
  const known = conversations.get(socket)
  if (known === undefined) throw new Error("a connection has no conversation")
  return known
}

/** Answers what the parser refused, or closes where nobody is left. */
const onClientError = (error: ConnectionError, socket: Socket): void => {
  if (!isAnswerable(error)) return void socket.destroy()
  const conversation = findConversation(socket)
  conversation.refuse(toRefusal(error, conversation.findUnfinished()))
}

/**
 * Nothing was sent, read or answered for too long. Who waits for us goes on waiting. Who owes us a
 * request is told so, unless it has not read what we said before: this is the last time that
 * anything looks at the connection.
 */
const onTimeout = (socket: Socket): void => {
  const conversation = findConversation(socket)
  const unfinished = conversation.findUnfinished()
  if (unfinished === undefined && conversation.isAwaited()) {
    // A time-out comes once.
    socket.setTimeout(socket.timeout ?? 0)
    return
  }
  if (unfinished === undefined || conversation.isOwing()) socket.destroy()
  else conversation.refuse(toTimeout(unfinished))
}

/**
 * A tunnel is not what we are: without a listener, Node closes without a word. With one, it takes
 * its own listeners off the socket; what they did for the answers before this one is done here.
 */
const onConnect = ({ headers: { origin } }: IncomingMessage, socket: Socket): void => {
  const message = "Invalid request: its method is unknown"
  const conversation = findConversation(socket)
  socket.on("error", () => socket.destroy()).on("timeout", () => onTimeout(socket))
  socket.on("drain", conversation.resume).resume()
  conversation.refuse({ status: 400, message, path: "", origin })
}

/** What clients may take of the server. All times in milliseconds. */
export interface ServerLimits extends Terms {
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
const turnAway = (socket: Socket, { onRefused, originHeaders }: Refusing): void => {
  const refusal = toNamed({ status: 429, message: "Too many connections", path: "" })
  onRefused(refusal)
  socket.end(toBytes(refusal, originHeaders), () => socket.destroy())
}

const onConnection = ({ connectionsPerAddress, ...terms }: ServerLimits) => {
  const addresses = makeAddresses(connectionsPerAddress)
  return (socket: Socket): void => {
    conversations.set(socket, makeConversation(socket, terms))
    const leave = addresses.enter(socket.remoteAddress ?? "")
    if (leave === undefined) turnAway(socket, terms)
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
    const conversation = findConversation(request.socket)
    if (conversation.findUnfinished() !== request) return
    conversation.refuse(toTimeout(request))
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

export class OrderlyServer extends Server {
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
        return answerWith(response, toNamed(toUnready(request), request), this.#originHeaders)
      }
      super.emit(name, request, response)
    }
    const { take } = findConversation(request.socket)
    if (!isText(request)) {
      take({ request, response, handle })
      return true
    }
    let isItsTurn = false
    let isParsed = false
    const begin = () => {
      isItsTurn = true
      if (isParsed) handle()
    }
    take({ request, response, handle: begin })
    // Most bodies come along with their heads, and are here when what was read is parsed: whoever
    // reads such a one waits for no pieces, and nobody has to watch how long it takes.
    setImmediate(() => {
      isParsed = true
      if (!request.complete) limitTime(request, this.#textTimeout)
      if (isItsTurn) handle()
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
