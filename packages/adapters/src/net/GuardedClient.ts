/**
 * Sends one HTTP/1.1 request over a guarded socket, which is new or was kept from an earlier
 * request to the same receiver. The client supports no redirects, proxies or decompression. The
 * client sends every request at most once: a request moves to a new connection only if the reused
 * connection was closed before any byte was written. All outbound requests use this client,
 * including those of `MediaFetcher` and `WebhookSender`.
 */
import type { Socket } from "node:net"
import type { Readable } from "node:stream"
import { checkUrl, type Target } from "@verbatim/core/outbound"
import { Duration, Effect, Exit, Result, Scope } from "effect"
import { NetAddress } from "effect/net"
import type { Client, Dispatcher } from "undici"
import { installSentence, isMissing } from "../packages/OptionalPackage.ts"
import type { Connection, ConnectionPool } from "./ConnectionPool.ts"
import type { Guard } from "./Guard.ts"
import * as GuardedSocket from "./GuardedSocket.ts"
import { codeOf, OutboundError, unreachable } from "./OutboundError.ts"

// Limits the bytes read from a socket, below the level of HTTP. Without this limit, a peer could
// send informational responses or chunk extensions until the request times out.

/** A limit on bytes read from a socket. The reader extends the limit while consuming content. */
interface WireLimit {
  /** Sets the number of bytes that can still be read. */
  readonly allow: (bytes: number) => void
  /** Increases the number of bytes that can still be read. */
  readonly extend: (bytes: number) => void
}

class WireLimitExceeded extends Error {
  readonly code = "ANSWER_TOO_LARGE"
}

/**
 * Bytes on the wire per byte of content. A chunk of one byte takes six bytes, or 13 with leading
 * zeros.
 */
const overheadMax = 16

/** Bytes on the wire for buffered content: 64 KiB in small chunks. */
const aheadMax = 1_048_576

/**
 * Passes the content on unchanged. Each chunk extends the limit by the maximum number of bytes that
 * the chunk can have taken on the wire.
 */
const extendLimitAsRead = (
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
 * Destroys the socket when more bytes are read than allowed. A single read can exceed the limit by
 * at most 64 KiB. The reader must call the socket's `read` directly, as undici does.
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

/** An open connection with its client. */
export interface HttpConnection extends Connection {
  readonly client: Client
  readonly limit: WireLimit
  /** Whether the connection was kept from an earlier request. */
  isReused: boolean
}

/** A guard, optionally with a pool so that requests can share connections. */
export interface ClientGuard extends Guard {
  /** Pool of keep-alive connections. If omitted, every request has its own connection. */
  readonly connections?: ConnectionPool<HttpConnection>
}

/** A request to send with the guarded client. */
export interface Exchange {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Readable
  /** Maximum bytes to read from the wire. If omitted, a body can have any length. */
  readonly bytesMax?: number
}

/** The head of a response, and its body as received. */
export interface Answer {
  readonly status: number
  /** Header names are in lower case. A repeated header has a list of values. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: AsyncIterable<Uint8Array>
  /** The URL that was requested. */
  readonly url: URL
  /** Closes the connection without reading the rest. */
  readonly discard: Effect.Effect<void>
  /**
   * Reads at most the given number of bytes from the body, passes them to `take`, then closes the
   * connection. Succeeds even if the body is incomplete.
   */
  readonly drain: (bytesMax: number, take: (chunk: Uint8Array) => void) => Effect.Effect<void>
}

const httpClient = { name: "undici", purpose: "send requests to the outside" }

/**
 * The HTTP client, loaded on the first request, because many programs import this module but send
 * no requests. The error for a closed client is created only once, because creating one per
 * connection takes longer than closing the connection.
 */
const library = Effect.runSync(
  Effect.tryPromise(async () => {
    const { Client, errors } = await import("undici")
    return { Client, errors, closed: new errors.ClientDestroyedError() }
  }).pipe(
    // Loading continues if the first caller is interrupted, because other callers wait for the same
    // result.
    Effect.uninterruptible,
    // A failure is not cached, because its cause, such as a lack of file descriptors, may be
    // temporary.
    Effect.cachedWithTTL((exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero))
  )
)

type Library = Effect.Success<typeof library>

/**
 * The error for a closed socket. One of undici's own errors would make undici reconnect forever.
 */
const closedSocket = Object.assign(new Error("closed"), { code: "ECONNRESET" })

const clientOver = (
  { Client }: Library,
  {
    guard,
    socket,
    target
  }: { readonly socket: Socket; readonly target: Target; readonly guard: Guard }
): Client => {
  let isUsed = false
  return new Client(target.url.origin, {
    connect: (_, callback) => {
      // The socket is handed out only once, so that the client cannot resend a request.
      const isRepeated = isUsed
      isUsed = true
      // The callback is deferred, because the client writes nothing if the callback runs during its
      // call.
      queueMicrotask(() => {
        if (isRepeated || socket.destroyed) callback(closedSocket, null)
        else callback(null, socket)
      })
    },
    allowH2: false,
    maxHeaderSize: guard.limits.maxHeadBytes,
    // undici's own timeouts are off, because callers limit the total time.
    headersTimeout: 0,
    bodyTimeout: 0,
    // If the receiver announces a shorter idle time, the connection is closed one second before
    // that time ends.
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

/** Returns the error code, or a fixed reason for a malformed response, which has no code. */
const reasonOf = (cause: unknown, { errors }: Library): string =>
  cause instanceof errors.HTTPParserError ? "MalformedAnswer" : codeOf(cause)

/**
 * Opens a connection that stays open until `close` is called. If opening fails, everything is
 * closed.
 */
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

/**
 * Provides a connection until the scope closes: an idle one if requested and available, otherwise a
 * new one.
 */
const borrow = Effect.fnUntraced(function* (
  to: { readonly target: Target; readonly undici: Library },
  { guard, isIdleWanted }: { readonly guard: ClientGuard; readonly isIdleWanted: boolean }
): Effect.fn.Return<HttpConnection, OutboundError, Scope.Scope> {
  const { connections } = guard
  const addresses = yield* GuardedSocket.addressesOf(to.target, guard)
  const addressTexts = addresses.map(NetAddress.formatIp)
  return yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const found = isIdleWanted ? connections?.take(to.target.url.origin, addressTexts) : undefined
      if (found === undefined) return connect(to, addresses, guard)
      found.isReused = true
      return Effect.succeed(found)
    }),
    (connection) => connections?.give(connection) ?? connection.close,
    { interruptible: true }
  )
})

/**
 * Sends the request and returns the response's head. The connection closes with the scope unless
 * the pool keeps it, or immediately if the request fails or is interrupted. Only connecting has a
 * time limit here.
 */
export const exchange = Effect.fnUntraced(function* (
  { body, bytesMax, headers, method, url }: Exchange,
  guard: ClientGuard
): Effect.fn.Return<Answer, OutboundError, Scope.Scope> {
  const target = yield* Effect.fromResult(
    Result.mapError(checkUrl({ url, allowedNetworks: guard.allowedNetworks }), (refusal) =>
      unreachable("refused", refusal)
    )
  )
  const undici = yield* Effect.mapError(library, ({ cause }) =>
    isMissing(cause, httpClient)
      ? new OutboundError({ reason: { _tag: "Unreachable", detail: installSentence(httpClient) } })
      : unreachable(target.url.hostname, codeOf(cause))
  )
  const to = { target, undici }
  const send = Effect.fnUntraced(function* (connection: HttpConnection) {
    const { client, limit, socket } = connection
    limit.allow(bytesMax ?? guard.limits.maxPreludeBytes)
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
            // A body that is destroyed before it is read emits an error, possibly before any other
            // listener is attached.
            data.body.on("error", () => undefined)
            data.body.on("end", () => {
              connection.isBusy = false
            })
            const answer = answerFrom(target, data)
            // The limit counts bytes on the wire, because a limit on the content would ignore the
            // bytes that frame it.
            if (bytesMax !== undefined) return answer
            return { ...answer, body: extendLimitAsRead(data.body, limit) }
          }),
      catch: (cause) => unreachable(target.url.hostname, reasonOf(cause, undici))
    }).pipe(Effect.onError(() => GuardedSocket.close(socket)))
  })
  const connection = yield* borrow(to, { guard, isIdleWanted: true })
  const { isReused, socket } = connection
  const { bytesWritten } = socket
  return yield* send(connection).pipe(
    Effect.catch((error) =>
      isReused && socket.bytesWritten === bytesWritten
        ? Effect.flatMap(borrow(to, { guard, isIdleWanted: false }), send)
        : Effect.fail(error)
    )
  )
})
