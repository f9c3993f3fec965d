/**
 * Streams a response's body. Except for a buffer of 64 KiB, data is read from the wire only when
 * the reader requests it. Fails if the peer stalls, is too slow, takes too long in total, or sends
 * less than the declared length.
 */
import { Clock, Duration, Effect, Stream } from "effect"
import type { Limits } from "./Guard.ts"
import type { Answer } from "./GuardedClient.ts"
import { codeOf, type OutboundError, unreachable } from "./OutboundError.ts"

// Measures a transfer's speed. Only time spent waiting for the peer counts, so a slow reader does
// not make the peer appear slow. Pure.

/** The bytes of the current window, and the time spent waiting for these bytes. */
interface Pace {
  readonly bytes: number
  readonly waited: Duration.Duration
}

const startPace: Pace = { bytes: 0, waited: Duration.zero }

/** The minimum speed, and the waiting time over which speed is measured. */
interface Requirement {
  readonly bytesPerSecondMin: number
  readonly paceWindow: Duration.Duration
}

/** Adds one chunk. When a window is full, the next window begins. */
const advancePace = (
  pace: Pace,
  piece: Pace & { readonly requirement: Requirement }
): { readonly pace: Pace; readonly isTooSlow: boolean } => {
  const { bytesPerSecondMin, paceWindow } = piece.requirement
  const bytes = pace.bytes + piece.bytes
  const waited = Duration.sum(pace.waited, piece.waited)
  if (Duration.isLessThan(waited, paceWindow)) return { pace: { bytes, waited }, isTooSlow: false }
  return { pace: startPace, isTooSlow: bytes < bytesPerSecondMin * Duration.toSeconds(waited) }
}

type Step = readonly [chunk: Uint8Array, pace: Pace] | undefined

/** Returns a response's content. The connection closes when the stream ends or fails. */
export const contentOf = (
  answer: Answer,
  limits: Limits
): Stream.Stream<Uint8Array, OutboundError> => {
  const host = answer.url.hostname
  const pull = (
    chunks: AsyncIterator<Uint8Array>,
    remaining: Duration.Duration
  ): Effect.Effect<[waited: Duration.Duration, IteratorResult<Uint8Array>], OutboundError> =>
    Effect.tryPromise({
      try: () => chunks.next(),
      catch: (cause) => unreachable(host, codeOf(cause))
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.min(remaining, limits.idleTimeout),
        orElse: () => Effect.fail(unreachable(host, "Stalled"))
      }),
      Effect.timed
    )
  const content = Effect.map(Clock.currentTimeMillis, (startedAt) => {
    const chunks = answer.body[Symbol.asyncIterator]()
    const transferMillis = Duration.toMillis(limits.transferTimeout)
    const step = Effect.fnUntraced(function* (pace: Pace): Effect.fn.Return<Step, OutboundError> {
      const elapsed = (yield* Clock.currentTimeMillis) - startedAt
      if (elapsed >= transferMillis) return yield* unreachable(host, "TransferTimeout")
      const [waited, next] = yield* pull(chunks, Duration.millis(transferMillis - elapsed))
      if (next.done === true) return undefined
      const bytes = next.value.byteLength
      const judged = advancePace(pace, { bytes, waited, requirement: limits })
      return judged.isTooSlow ? yield* unreachable(host, "TooSlow") : [next.value, judged.pace]
    })
    return Stream.unfold(startPace, step)
  })
  return Stream.unwrap(content).pipe(Stream.ensuring(answer.discard))
}
