/**
 * A request to a provider, tried again briefly when that can help. What does not help in that time
 * is left to the attempts of the job.
 */
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { ProviderError } from "./ProviderError.ts"

/** How a request is tried again here, before the job has to be tried again. */
export interface Retries {
  readonly retryMax: number
  /** No retry begins later than this after the first try; `Retry-After` counts against it. */
  readonly within: Duration.Duration
  /** The pause where the server does not say how long to wait; doubled each time. */
  readonly delay: Duration.Duration
}

/** A minute keeps a worker's slot no longer than a short recording does. */
export const retries: Retries = {
  retryMax: 2,
  within: Duration.seconds(60),
  delay: Duration.seconds(1)
}

/** A failure that may pass, and how long to wait before the next try, if the server said so. */
export class Setback extends Schema.TaggedError<Setback>()("Setback", {
  error: ProviderError,
  wait: Schema.Option(Schema.Duration)
}) {}

/** Tries until there is an answer or another error, and in the end fails with the last setback. */
export const tryAgain = Effect.fnUntraced(function* <A, E>(
  once: Effect.Effect<A, E | Setback>,
  { delay, retryMax, within }: Retries
): Effect.fn.Return<A, Exclude<E, Setback> | ProviderError> {
  const begunAt = yield* Clock.currentTimeMillis
  for (let retry = 0; ; retry++) {
    const outcome = yield* Effect.result(once)
    if (outcome._tag === "Success") return outcome.success
    const failure = outcome.failure
    if (!(failure instanceof Setback)) {
      return yield* Effect.fail(failure as Exclude<E, Setback>)
    }
    const wait = Option.getOrElse(failure.wait, () => Duration.times(delay, 2 ** retry))
    const passed = Duration.millis((yield* Clock.currentTimeMillis) - begunAt)
    const isTooLate = Duration.isGreaterThan(Duration.sum(passed, wait), within)
    if (retry === retryMax || isTooLate) return yield* failure.error
    yield* Effect.sleep(wait)
  }
})
