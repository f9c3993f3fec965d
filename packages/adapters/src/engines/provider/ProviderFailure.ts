/**
 * What it means for the work that a provider gave no usable answer.
 */
import { Failure } from "@verbatim/core/attempt"
import { type Recognition, TranscriberError } from "@verbatim/core/ports"
import { Clock, Duration, Effect, Option, Schema } from "effect"

// How an engine says that it made no transcript.

/** The error with a reason. */
export const failure = (reason: TranscriberError["reason"]): TranscriberError =>
  new TranscriberError({ reason })

// Why a provider, whoever it is, gave no usable answer.

/** Why there is no usable answer. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  reason: Schema.TaggedUnion({
    /** It will not do this, now or later: the content is to blame. */
    Refused: { detail: Schema.String },
    /** It refuses whatever we send: our key, our model, our address, our account. */
    Barred: { detail: Schema.String },
    /** It cannot now, or could not be reached. */
    Unavailable: { detail: Schema.String },
    /** It answered, but with something else than was asked for. */
    Malformed: { detail: Schema.String }
  })
}) {}

/** The kinds of reason. */
export const { Barred, Malformed, Refused, Unavailable } = ProviderError.fields.reason.cases

/** The error with a reason. */
export const makeError = (reason: ProviderError["reason"]) => new ProviderError({ reason })

const { EngineFailed, EngineRefused, EngineUnavailable, LanguageUnsupported, StorageFailed } =
  Failure.cases

/** The failure that any engine behind a provider reports. */
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

/** What servers write about a language they do not know, and not about models of language. */
const aboutLanguage = /\blanguages?\b(?! model)/i

/** The same for recognition, where a refusal may be about the language that was asked for. */
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

/** The audio could not be read. */
export const toStorageError = (error: unknown) =>
  failure(StorageFailed.make({ detail: error instanceof Error ? error.name : `${error}` }))

// A request to a provider, tried again briefly when that can help. What does not help in that time
// is left to the attempts of the job.

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
