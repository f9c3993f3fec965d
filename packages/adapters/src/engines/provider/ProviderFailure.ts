/** Maps a provider's failures to job failures, and retries requests to the provider. */
import { Failure } from "@verbatim/core/attempt"
import { type Recognition, TranscriberError } from "@verbatim/core/ports"
import { Clock, Duration, Effect, Option, Schema } from "effect"

// A transcriber's failures.

/** Makes the error from a reason. */
export const failure = (reason: TranscriberError["reason"]): TranscriberError =>
  new TranscriberError({ reason })

// Failures of a provider, for any engine behind it.

/** A provider gave no usable response. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  reason: Schema.TaggedUnion({
    /** The provider refuses this content permanently. */
    Refused: { detail: Schema.String },
    /**
     * The provider refuses every request because of the key, model, address or account that
     * Verbatim uses.
     */
    Barred: { detail: Schema.String },
    /** The provider is overloaded or unreachable. */
    Unavailable: { detail: Schema.String },
    /** The provider's response has an unexpected form. */
    Malformed: { detail: Schema.String }
  })
}) {}

export const { Barred, Malformed, Refused, Unavailable } = ProviderError.fields.reason.cases

/** Makes the error from a reason. */
export const makeError = (reason: ProviderError["reason"]) => new ProviderError({ reason })

const { EngineFailed, EngineRefused, EngineUnavailable, LanguageUnsupported, StorageFailed } =
  Failure.cases

/** Converts the error to the engine's failure. */
export const toFailure = ({ reason }: ProviderError) => {
  const { detail } = reason
  switch (reason._tag) {
    case "Refused":
      return EngineRefused.make({ detail })
    case "Barred":
    case "Unavailable":
      return EngineUnavailable.make({ detail })
    case "Malformed":
      return EngineFailed.make({ detail })
  }
}

/** Matches errors about unknown languages, but not about language models. */
const aboutLanguage = /\blanguages?\b(?! model)/i

/** Like `toFailure`, but a refusal may be about the requested language. */
export const toTranscriberError = (
  error: ProviderError,
  { language }: Pick<Recognition, "language">
) => {
  const { _tag, detail } = error.reason
  const isRefusal = _tag === "Refused" || _tag === "Barred"
  return isRefusal && language !== null && aboutLanguage.test(detail)
    ? failure(LanguageUnsupported.make({ language }))
    : failure(toFailure(error))
}

/** Makes the error for audio that could not be read. */
export const toStorageError = (error: unknown) =>
  failure(StorageFailed.make({ detail: error instanceof Error ? error.name : `${error}` }))

// Retries a request for a short time if a retry can help. Later retries are left to the job's
// attempts.

/** Limits for brief retries. After these retries, the whole job has to be retried. */
export interface Retries {
  readonly retryMax: number
  /** No retry begins later than this after the first try; `Retry-After` counts towards it. */
  readonly within: Duration.Duration
  /** The pause if the server does not request one; it doubles with each retry. */
  readonly delay: Duration.Duration
}

/** Retries for one minute occupy a worker's slot no longer than a short recording does. */
export const retries: Retries = {
  retryMax: 2,
  within: Duration.seconds(60),
  delay: Duration.seconds(1)
}

/** A transient failure, with the wait that the server requested, if any. */
export class Setback extends Schema.TaggedError<Setback>()("Setback", {
  error: ProviderError,
  wait: Schema.Option(Schema.Duration)
}) {}

/**
 * Retries until there is a response or a permanent error. After the time limit, it fails with the
 * last transient error.
 */
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
