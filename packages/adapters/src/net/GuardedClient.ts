/**
 * One HTTP/1.1 request over a guarded socket: of its own, or kept from an earlier one to the same
 * receiver. No redirect, no proxy, no decompression, and every request is sent at most once: one
 * of which no byte was written goes over a new connection when a kept one turns out to be closed.
 * The only door out; `MediaFetcher` and `WebhookSender` go through it.
 */
import type { Socket } from "node:net"
import type { Readable } from "node:stream"
import { judgeUrl, type Target } from "@verbatim/core/outbound"
import { Duration, Effect, Exit, Result, Scope } from "effect"
import { NetAddress } from "effect/net"
import type { Client, Dispatcher } from "undici"
import { isMissing, sentenceFor } from "../packages/OptionalPackage.ts"
import type { Connection, ConnectionPool } from "./ConnectionPool.ts"
import type { Guard } from "./Guard.ts"
import * as GuardedSocket from "./GuardedSocket.ts"
import { codeOf, OutboundError, unreachable } from "./OutboundError.ts"

// A limit on what is read from a socket, whatever HTTP makes of it: without one a peer could send
// informational answers, or the extension of a chunk, for as long as the request may take.

/** A limit on what is read from a socket. It grows with what the reader makes of the bytes. */
interface WireLimit {
  /** Lets that many bytes be read from now on, whatever was left. */
  readonly allow: (bytes: number) => void
  /** Lets that many more bytes be read. */
  readonly extend: (bytes: number) => void
}

class WireLimitExceeded extends Error {
  readonly code = "ANSWER_TOO_LARGE"
}

/** Of the wire, for each byte of content: a chunk of one byte takes six, or 13 with zeros. */
const overheadMax = 16

/** Of the wire, for content that was read and not yet taken: a buffer of 64 KiB in small chunks. */
const aheadMax = 1_048_576

/** The same content. Each piece that is taken lets as much of the wire be read as it may cost. */
const followWire = (
  content: AsyncIterable<Uint8Array>,
  { extend }: WireLimit
): AsyncIterable<Uint8Array> => {
  extend(aheadMax)
  return (async function* () {
    for await (const piece of content) {
      extend(overheadMax * piece.byteLength)
      yield piece
    }
  })()
}

/**
 * Destroys the socket when more bytes are read than it may; one read brings at most 64 KiB
 * beyond them. The reader must call `read`, as undici does: so nothing stands between it and the
 * socket.
 */
const limitWire = (socket: Socket): WireLimit => {
  const read = socket.read.bind(socket)
  let bytesLeft = 0
  socket.read = (size) => {
    if (bytesLeft < 0) {
      socket.destroy(new WireLimitExceeded())
      return null
    }
    const chunk = read(size)
    if (chunk !== null) bytesLeft -= chunk.length
    return chunk
  }
  return {
    allow: (bytes) => {
      bytesLeft = bytes
    },
    extend: (bytes) => {
      bytesLeft += bytes
    }
  }
}

/** An open connection, with the client on it. */
export interface HttpConnection extends Connection {
  readonly client: Client
  readonly limit: WireLimit
  /** Whether it is kept from an earlier request. */
  isReused: boolean
}

/** A guard for requests that may share connections. */
export interface ClientGuard extends Guard {
  /** When left out, every request has a connection of its own. */
  readonly connections?: ConnectionPool<HttpConnection>
}

/** The request. */
export interface Exchange {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Readable
  /** Most bytes to read from the wire. When left out, a body may have any length. */
  readonly bytesMax?: number
}

/** The head of an answer, and its body as it comes from the wire. */
export interface Answer {
  readonly status: number
  /** Names in lower case; one value, or all of them when a header came more than once. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: AsyncIterable<Uint8Array>
  /** Where the answer came from. */
  readonly url: URL
  /** Closes the connection; the rest is not wanted. */
  readonly discard: Effect.Effect<void>
  /**
   * Hands out up to this many bytes of the body as they come, then closes the connection. Ends well
   * where the body breaks off.
   */
  readonly drain: (bytesMax: number, take: (chunk: Uint8Array) => void) => Effect.Effect<void>
}

const httpClient = { name: "undici", purpose: "send requests to the outside" }

/**
 * The HTTP client, read with the first request: many programs name this module and send none. The
 * error is made once: making one for each connection takes longer than closing the connection.
 */
const library = Effect.runSync(
  Effect.tryPromise(async () => {
    const { Client, errors } = await import("undici")
    return { Client, errors, closed: new errors.ClientDestroyedError() }
  }).pipe(
    // The first who asks may leave; those who wait for the same answer stay.
    Effect.uninterruptible,
    // What cannot be read, with no file descriptor left, is read again with the next request.
    Effect.cachedWithTTL((exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero))
  )
)

type Library = Effect.Success<typeof library>

/** Not an error of undici's own kinds: after those it would connect again, for ever. */
const closedSocket = Object.assign(new Error("closed"), { code: "ECONNRESET" })

const clientOver = (
  { Client }: Library,
  {
    guard,
    socket,
    target
  }: { readonly socket: Socket; readonly target: Target; readonly guard: Guard }
): Client => {
  let isTaken = false
  return new Client(target.url.origin, {
    connect: (_, callback) => {
      // The socket is handed over once: the client cannot repeat anything, even if it wants to.
      const isAgain = isTaken
      isTaken = true
      // Not at once: the client writes nothing when it is called back within its own call.
      queueMicrotask(() => {
        if (isAgain || socket.destroyed) callback(closedSocket, null)
        else callback(null, socket)
      })
    },
    allowH2: false,
    maxHeaderSize: guard.limits.headBytesMax,
    // The callers limit the time, over everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Or less, where the receiver says that it keeps the connection for less; a second early.
    keepAliveTimeout: Duration.toMillis(guard.limits.idleConnectionTimeout),
    keepAliveMaxTimeout: Duration.toMillis(guard.limits.idleConnectionTimeout),
    keepAliveTimeoutThreshold: 1_000
  })
}

const answerFrom = (target: Target, data: Dispatcher.ResponseData): Answer => ({
  status: data.statusCode,
  headers: data.headers,
  body: data.body,
  url: target.url,
  discard: Effect.sync(() => data.body.destroy()),
  drain: (limit, take) =>
    Effect.tryPromise(async () => {
      let read = 0
      for await (const chunk of data.body) {
        take(chunk)
        read += chunk.length
        if (read >= limit) break
      }
    }).pipe(Effect.ignore, Effect.ensuring(Effect.sync(() => data.body.destroy())))
})

/** An answer that cannot be parsed has no code of its own. */
const reasonOf = (cause: unknown, { errors }: Library): string =>
  cause instanceof errors.HTTPParserError ? "MalformedAnswer" : codeOf(cause)

/** Opens a connection. It stays open until it is closed, or until opening it fails. */
const connect = Effect.fnUntraced(function* (
  { target, undici }: { readonly target: Target; readonly undici: Library },
  addresses: Parameters<typeof GuardedSocket.open>[1],
  guard: Guard
): Effect.fn.Return<HttpConnection, OutboundError> {
  const scope = yield* Scope.make()
  const opening = Effect.map(GuardedSocket.open(target, addresses, guard), (socket) => {
    const limit = limitWire(socket)
    const client = clientOver(undici, { socket, target, guard })
    const address = GuardedSocket.peerOf(socket)
    const close = Effect.andThen(
      Effect.promise(() => client.destroy(undici.closed)),
      Scope.close(scope, Exit.void)
    )
    const { origin } = target.url
    return { origin, address, client, socket, limit, isBusy: false, isReused: false, close }
  })
  return yield* opening.pipe(
    Scope.provide(scope),
    Effect.onError(() => Scope.close(scope, Exit.void))
  )
})

/** Lends an idle connection, where one is wanted, or a new one for as long as the scope is open. */
const lend = Effect.fnUntraced(function* (
  to: { readonly target: Target; readonly undici: Library },
  { guard, isIdleWanted }: { readonly guard: ClientGuard; readonly isIdleWanted: boolean }
): Effect.fn.Return<HttpConnection, OutboundError, Scope.Scope> {
  const { connections } = guard
  const addresses = yield* GuardedSocket.addressesOf(to.target, guard)
  const literals = addresses.map(NetAddress.formatIp)
  return yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const found = isIdleWanted ? connections?.take(to.target.url.origin, literals) : undefined
      if (found === undefined) return connect(to, addresses, guard)
      found.isReused = true
      return Effect.succeed(found)
    }),
    (connection) => connections?.give(connection) ?? connection.close,
    { interruptible: true }
  )
})

/**
 * Sends the request and returns the head of the answer. The connection closes with the scope unless
 * it is kept, or at once when the request fails or is interrupted. Only connecting has a time limit
 * here.
 */
export const exchange = Effect.fnUntraced(function* (
  { body, bytesMax, headers, method, url }: Exchange,
  guard: ClientGuard
): Effect.fn.Return<Answer, OutboundError, Scope.Scope> {
  const target = yield* Effect.fromResult(
    Result.mapError(judgeUrl({ url, allowNetworks: guard.allowNetworks }), (refusal) =>
      unreachable("refused", refusal)
    )
  )
  const undici = yield* Effect.mapError(library, ({ cause }) =>
    isMissing(cause, httpClient)
      ? new OutboundError({ reason: { _tag: "Unreachable", detail: sentenceFor(httpClient) } })
      : unreachable(target.url.hostname, codeOf(cause))
  )
  const to = { target, undici }
  const send = Effect.fnUntraced(function* (connection: HttpConnection) {
    const { client, limit, socket } = connection
    limit.allow(bytesMax ?? guard.limits.preludeBytesMax)
    connection.isBusy = true
    return yield* Effect.tryPromise({
      try: (signal) =>
        client
          .request({
            method,
            path: target.url.pathname + target.url.search,
            headers,
            body: body ?? null,
            reset: guard.connections === undefined,
            signal
          })
          .then((data) => {
            // A body that is destroyed unread emits an error; nobody else may be listening yet.
            data.body.on("error", () => undefined)
            data.body.on("end", () => {
              connection.isBusy = false
            })
            const answer = answerFrom(target, data)
            // A limit on the content, where there is one, would not see what stands around it.
            if (bytesMax !== undefined) return answer
            return { ...answer, body: followWire(data.body, limit) }
          }),
      catch: (cause) => unreachable(target.url.hostname, reasonOf(cause, undici))
    }).pipe(Effect.onError(() => GuardedSocket.close(socket)))
  })
  const connection = yield* lend(to, { guard, isIdleWanted: true })
  const { isReused, socket } = connection
  const { bytesWritten } = socket
  return yield* send(connection).pipe(
    Effect.catch((error) =>
      isReused && socket.bytesWritten === bytesWritten
        ? Effect.flatMap(lend(to, { guard, isIdleWanted: false }), send)
        : Effect.fail(error)
    )
  )
})
