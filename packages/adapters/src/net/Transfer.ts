/**
 * The body of an answer as a stream that pulls: beyond a buffer of 64 KiB, only what the reader
 * asks for is read from the wire. It fails when the peer stalls, drips, takes too long in all, or
 * ends short of its length.
 */
import { Clock, Duration, Effect, Stream } from "effect"
import type { Limits } from "./Guard.ts"
import type { Answer } from "./GuardedClient.ts"
import { codeOf, type OutboundError, unreachable } from "./OutboundError.ts"
import * as Pace from "./Pace.ts"

type Step = readonly [chunk: Uint8Array, pace: Pace.Pace] | undefined

/** The content of an answer. Its connection closes with the stream, however that ends. */
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
    const step = Effect.fnUntraced(function* (
      pace: Pace.Pace
    ): Effect.fn.Return<Step, OutboundError> {
      const elapsed = (yield* Clock.currentTimeMillis) - startedAt
      if (elapsed >= transferMillis) return yield* unreachable(host, "TransferTimeout")
      const [waited, next] = yield* pull(chunks, Duration.millis(transferMillis - elapsed))
      if (next.done === true) return undefined
      const bytes = next.value.byteLength
      const judged = Pace.advance(pace, { bytes, waited, requirement: limits })
      return judged.isTooSlow ? yield* unreachable(host, "TooSlow") : [next.value, judged.pace]
    })
    return Stream.unfold(Pace.start, step)
  })
  return Stream.unwrap(content).pipe(Stream.ensuring(answer.discard))
}
