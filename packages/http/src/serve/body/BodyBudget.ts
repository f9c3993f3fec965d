/**
 * The room for bodies of text while they arrive. Each key has a share of it, and waits for itself
 * first: a key that leaves its bodies unfinished delays its own, and nobody else's.
 */
import { Quota, waitIdle } from "@verbatim/core/services"
import { Context, Effect, Scope, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"

/** What is held of a body without asking for room: a thousand of these are 64 MB. */
export const smallMax = 65_536

const mebibyte = 1_048_576

/**
 * Bytes that all keys of one process hold together: 64 of the largest bodies of presets, or 4
 * requests with files. One key holds an eighth of it; a body that is longer takes all of that.
 */
export const BodyBudget: Context.Reference<Quota.Quota> = Context.Reference(
  "@verbatim/http/BodyBudget",
  { defaultValue: () => Quota.make({ share: 16 * mebibyte, total: 128 * mebibyte }) }
)

/** The key that a request was sent with. Callers without a key share one partition. */
export const KeyPartition: Context.Reference<string | object> = Context.Reference(
  "@verbatim/http/KeyPartition",
  {
    defaultValue: (): string | object => ""
  }
)

/** Where a body keeps its room when it is there; by default, it does not. */
const BodyScope: Context.Reference<Scope.Scope | undefined> = Context.Reference(
  "@verbatim/http/BodyScope",
  { defaultValue: (): Scope.Scope | undefined => undefined }
)

/** Keeps the room of a body that is not small until it was handled. */
export const keepBudget = <A, E, R>(
  { headers }: HttpServerRequest.HttpServerRequest,
  handled: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= smallMax
    ? handled
    : Effect.scopedWith((scope) => Effect.provideService(handled, BodyScope, scope))

/** Waits for room, in the share of the key before anywhere else, until the scope ends. */
const reserveBudget = Effect.fnUntraced(function* (byteLength: number) {
  const { hold } = yield* BodyBudget
  const scope = (yield* BodyScope) ?? (yield* Effect.scope)
  yield* Scope.provide(hold(yield* KeyPartition, byteLength), scope)
})

interface Lengths<Long> {
  /** What the body says of itself, or the most it may have. */
  readonly byteLength: number
  readonly byteMax: number
  readonly makeTooLong: () => Long
}

/**
 * Collects a body. Its beginning is read at once; what is longer than that asks for room for its
 * whole length, and is not read on before. The listener ends those that take too long.
 */
export const collect = <E, Long>(
  body: Stream.Stream<Uint8Array, E>,
  { byteLength, byteMax, makeTooLong }: Lengths<Long>
): Effect.Effect<Uint8Array, E | Long> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  let isReserved = false
  return Stream.runForEach(body, (piece) => {
    size += piece.length
    if (size > byteMax) return Effect.fail(makeTooLong())
    pieces.push(piece)
    if (isReserved || size <= smallMax) return Effect.void
    isReserved = true
    return reserveBudget(byteLength)
  }).pipe(
    // It keeps its room until it has a place: bodies would gather that wait for one.
    waitIdle,
    Effect.map(() => Buffer.concat(pieces, size)),
    Effect.scoped
  )
}
