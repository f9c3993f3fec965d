/**
 * The room for bodies of text while they arrive. Each key has a share of it, and waits for itself
 * first: a key that leaves its bodies unfinished delays its own, and nobody else's.
 */
import { waitIdle } from "@verbatim/core/services"
import { Context, Effect, Scope, Semaphore, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"

/** What is held of a body without asking for room: a thousand of these are 64 MB. */
export const smallMax = 65_536

/** Room for bytes. Whoever asks first is first: a large body is not overtaken by small ones. */
export interface Room {
  /** Waits for so many bytes, and keeps them until the scope ends. */
  readonly take: (byteLength: number) => Effect.Effect<void, never, Scope.Scope>
}

/** Empty room. A semaphore alone gives what is free to whoever needs no more than that. */
export const makeRoom = (byteMax: number): Room => {
  const room = Semaphore.makeUnsafe(byteMax)
  const turn = Semaphore.makeUnsafe(1)
  return { take: (byteLength) => turn.withPermit(room.takeScoped(byteLength)) }
}

export interface BodyRoom {
  /** What all keys of one process hold together. */
  readonly all: Room
  /**
   * What one key holds of it, in bytes: an eighth, so that one alone cannot take everything. A body
   * that is longer takes all of it.
   */
  readonly keyMax: number
}

const mebibyte = 1_048_576

/** 64 of the largest bodies of presets, and 8 of one key; or 4 requests with files, and 1. */
export const BodyRoom: Context.Reference<BodyRoom> = Context.Reference("@verbatim/http/BodyRoom", {
  defaultValue: () => ({ all: makeRoom(128 * mebibyte), keyMax: 16 * mebibyte })
})

/** What a key holds of the room: nothing before its first large body, which most never send. */
export interface KeyHold {
  room?: Room
}

/** The hold of the key that a request was sent with. Whoever has no key shares one with others. */
export const KeyHold: Context.Reference<KeyHold> = Context.Reference("@verbatim/http/KeyHold", {
  defaultValue: (): KeyHold => ({})
})

/** Where a body keeps its room when it is there; by default, it does not. */
const BodyScope: Context.Reference<Scope.Scope | undefined> = Context.Reference(
  "@verbatim/http/BodyScope",
  { defaultValue: (): Scope.Scope | undefined => undefined }
)

/** Keeps the room of a body that is not small until it was handled. */
export const keepRoom = <A, E, R>(
  { headers }: HttpServerRequest.HttpServerRequest,
  handled: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= smallMax
    ? handled
    : Effect.scopedWith((scope) => Effect.provideService(handled, BodyScope, scope))

/** Waits for room, in the share of the key before anywhere else, until the scope ends. */
const takeRoom = Effect.fnUntraced(function* (byteLength: number) {
  const { all, keyMax } = yield* BodyRoom
  const hold = yield* KeyHold
  hold.room ??= makeRoom(keyMax)
  const scope = (yield* BodyScope) ?? (yield* Effect.scope)
  const taken = Effect.andThen(hold.room.take(Math.min(byteLength, keyMax)), all.take(byteLength))
  yield* Scope.provide(taken, scope)
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
  let hasRoom = false
  return Stream.runForEach(body, (piece) => {
    size += piece.length
    if (size > byteMax) return Effect.fail(makeTooLong())
    pieces.push(piece)
    if (hasRoom || size <= smallMax) return Effect.void
    hasRoom = true
    return takeRoom(byteLength)
  }).pipe(
    // It keeps its room until it has a place: bodies would gather that wait for one.
    waitIdle,
    Effect.map(() => Buffer.concat(pieces, size)),
    Effect.scoped
  )
}
