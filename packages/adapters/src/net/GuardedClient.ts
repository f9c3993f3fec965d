/**
 * One HTTP/1.1 request over one guarded socket of its own. No pool, no reused connection, no retry,
 * no redirect, no proxy, no decompression: every request is sent at most once. The only door out;
 * `MediaFetcher` and `WebhookSender` go through it.
 */
import type { Socket } from "node:net"
import type { Readable } from "node:stream"
import { judgeUrl, type Target } from "@verbatim/core/outbound"
import { Duration, Effect, Exit, Result, type Scope } from "effect"
import type { Client, Dispatcher } from "undici"
import { isMissing, sentenceFor } from "../packages/OptionalPackage.ts"
import type { Guard } from "./Guard.ts"
import * as GuardedSocket from "./GuardedSocket.ts"
import { codeOf, OutboundError, unreachable } from "./OutboundError.ts"

// A limit on what is read from a socket, whatever HTTP makes of it: without one a peer could send
// informational answers, or the extension of a chunk, for as long as the request may take.

class WireLimitExceeded extends Error {
  readonly code = "ANSWER_TOO_LARGE"
}

/** A limit that grows with what the reader makes of the bytes. */
interface WireLimit {
  /** Lets that many more bytes be read. */
  readonly extend: (bytes: number) => void
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
 * Destroys the socket when more than this many bytes are read; one read brings at most 64 KiB
 * beyond them. The reader must call `read`, as undici does: so nothing stands between it and the
 * socket.
 */
const limitWire = (socket: Socket, bytesMax: number): WireLimit => {
  const read = socket.read.bind(socket)
  let bytesLeft = bytesMax
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
    extend: (bytes) => {
      bytesLeft += bytes
    }
  }
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

const clientOver = (
  { Client, errors }: Library,
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
        if (isAgain || socket.destroyed) callback(new errors.SocketError("closed"), null)
        else callback(null, socket)
      })
    },
    allowH2: false,
    maxHeaderSize: guard.limits.headBytesMax,
    // The callers limit the time, over everything.
    headersTimeout: 0,
    bodyTimeout: 0
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

/**
 * Sends the request and returns the head of the answer. The connection closes with the scope, or at
 * once when the request fails or is interrupted. Only connecting has a time limit here.
 */
export const exchange = Effect.fnUntraced(function* (
  { body, bytesMax, headers, method, url }: Exchange,
  guard: Guard
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
  const socket = yield* GuardedSocket.open(target, guard)
  const limit = limitWire(socket, bytesMax ?? guard.limits.preludeBytesMax)
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => clientOver(undici, { socket, target, guard })),
    (client) => Effect.promise(() => client.destroy(undici.closed))
  )
  return yield* Effect.tryPromise({
    try: (signal) =>
      client
        .request({
          method,
          path: target.url.pathname + target.url.search,
          headers,
          body: body ?? null,
          reset: true,
          signal
        })
        .then((data) => {
          // A body that is destroyed unread emits an error; nobody else may be listening yet.
          data.body.on("error", () => undefined)
          const answer = answerFrom(target, data)
          // A limit on the content, where there is one, would not see what stands around it.
          return bytesMax === undefined ? { ...answer, body: followWire(data.body, limit) } : answer
        }),
    catch: (cause) => unreachable(target.url.hostname, reasonOf(cause, undici))
  }).pipe(Effect.onError(() => GuardedSocket.close(socket)))
})
