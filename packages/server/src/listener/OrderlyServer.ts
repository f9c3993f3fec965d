/**
 * Node's HTTP server with an order of its own: one request at a time on a connection, no protocol
 * but HTTP, and an answer in our forms to whatever its parser refuses.
 */
import { type IncomingMessage, Server, ServerResponse } from "node:http"
import { Duration } from "effect"
import { makeAddresses } from "./Addresses.ts"
import { type Conversation, makeConversation, type Socket, type Terms } from "./Conversation.ts"
import {
  answerWith,
  type ConnectionError,
  headByteMax,
  isAnswerable,
  type OriginHeaders,
  type Refusing,
  toBytes,
  toNamed,
  toRefusal,
  toTimeout,
  toUnready
} from "./Refusal.ts"

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
const graceTimeout = Duration.seconds(1)

/** Disconnects a client that does not end its request although it has its answer. */
const limitLateness = (request: IncomingMessage, response: ServerResponse): void => {
  const isUnfinished = () => !request.complete && !request.socket.destroyed
  const close = () => isUnfinished() && request.socket.destroy()
  response.once("finish", () => {
    if (isUnfinished()) setTimeout(close, Duration.toMillis(graceTimeout)).unref()
  })
}

/** Of a silent connection, in milliseconds, before the system asks whether its client is there. */
const probeDelay = 60_000

/**
 * An answer that is one text is one write. Where Node compares the length that was promised with
 * what was written, it sends an empty piece behind the text; a text was measured when it was made.
 */
class OneWrite<Asked extends IncomingMessage> extends ServerResponse<Asked> {
  override end(...said: ReadonlyArray<unknown>): this {
    if (typeof said[0] === "string") this.strictContentLength = false
    return super.end(...(said as []))
  }
}

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
      ServerResponse: OneWrite,
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
