/**
 * Limits the memory that text bodies take while they arrive. Each key waits for its own share
 * first, so a key that leaves bodies unfinished delays only its own requests.
 */
import { Quota, waitIdle } from "@verbatim/core/services"
import { Context, Effect, Scope, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Maximum size of a body that needs no budget: a thousand such bodies take 64 MB. */
export const smallMax = 65_536

const mebibyte = 1_048_576

/**
 * The bytes that the bodies of all keys share in one process: enough for 64 of the largest preset
 * bodies, or for 4 requests with files. One key can reserve an eighth of this budget, its share. A
 * body that is longer than the share takes the whole share.
 */
export const BodyBudget: Context.Reference<Quota.Quota> = Context.Reference(
  "@verbatim/http/BodyBudget",
  { defaultValue: () => Quota.make({ share: 16 * mebibyte, total: 128 * mebibyte }) }
)

/**
 * Identifies the share that a request's body counts towards. All requests without a key count
 * towards one share.
 */
export const KeyPartition: Context.Reference<string | object> = Context.Reference(
  "@verbatim/http/KeyPartition",
  {
    defaultValue: (): string | object => ""
  }
)

/**
 * The scope in which a body keeps its budget after its arrival; by default, the budget is released
 * on arrival.
 */
const BodyScope: Context.Reference<Scope.Scope | undefined> = Context.Reference(
  "@verbatim/http/BodyScope",
  { defaultValue: (): Scope.Scope | undefined => undefined }
)

/** Keeps the budget of a large body until the request has been handled. */
export const keepBudget = <A, E, R>(
  { headers }: HttpServerRequest.HttpServerRequest,
  handled: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= smallMax
    ? handled
    : Effect.scopedWith((scope) => Effect.provideService(handled, BodyScope, scope))

/**
 * Reserves budget until the scope ends, waiting first for the key's share and then for the total.
 */
const reserveBudget = Effect.fnUntraced(function* (byteLength: number) {
  const { hold } = yield* BodyBudget
  const scope = (yield* BodyScope) ?? (yield* Effect.scope)
  yield* Scope.provide(hold(yield* KeyPartition, byteLength), scope)
})

interface Lengths<Long> {
  /** The length to reserve: the declared length, or the maximum. */
  readonly byteLength: number
  readonly byteMax: number
  readonly makeTooLong: () => Long
}

/**
 * Collects a body. The beginning of a body is read immediately; for a longer body, budget for the
 * whole length is reserved before the server reads on. The listener ends bodies that arrive too
 * slowly.
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
    // The budget stays reserved while the request waits to be handled, because waiting bodies would
    // otherwise accumulate.
    waitIdle,
    Effect.map(() => Buffer.concat(pieces, size)),
    Effect.scoped
  )
}
