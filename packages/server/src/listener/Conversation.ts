/**
 * One connection: its requests are answered one after the other, each begun when the one before has
 * its answer. A client that does not read costs one answer, however many it asks for, and what it
 * asked for is dropped when it goes.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Duration } from "effect"
import {
  answerWith,
  type NamedRefusal,
  type Refusal,
  type Refusing,
  toBytes,
  toNamed
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

export type Socket = IncomingMessage["socket"]

/** A request with the place for its answer, and what begins to handle it. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly handle: () => void
}

/** What a conversation keeps to. */
export interface Terms extends Refusing {
  /** How long a client may wait until an answer begins, in milliseconds. */
  readonly answerTimeout: number
}

export interface Conversation {
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
export const makeConversation = (
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
