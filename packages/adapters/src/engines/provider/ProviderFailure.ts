/** Maps a provider's failures to job failures, and retries requests to the provider. */
import { Failure } from "@verbatim/core/attempt"
import { type Recognition, TranscriberError } from "@verbatim/core/ports"
import { Clock, Duration, Effect, Option, Schema } from "effect"

// Creates the errors that transcribers fail with.

/** Creates a transcriber error with the given reason. */
export const failure = (reason: TranscriberError["reason"]): TranscriberError =>
  new TranscriberError({ reason })

// Defines errors from a provider's server, for all engines that call a provider.

/** A provider gave no usable response. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  /**
   * `Refused`: the provider refuses this content permanently. `Barred`: the provider refuses every
   * request because of the key, model, address or account that Verbatim uses. `Unavailable`: the
   * provider is overloaded or unreachable. `Malformed`: the response has an unexpected form.
   */
  kind: Schema.Literals(["Refused", "Barred", "Unavailable", "Malformed"]),
  detail: Schema.String,
  /**
   * The wait that the server requested before a retry, if any. Undefined if a retry cannot succeed
   * soon.
   */
  wait: Schema.optionalKey(Schema.Option(Schema.Duration))
}) {}

/** Creates the error for a failure that a retry cannot fix. */
export const providerError = (kind: ProviderError["kind"], detail: string): ProviderError =>
  new ProviderError({ kind, detail })

/** Creates the error for a failure that a retry may soon fix. */
export const setback = (
  detail: string,
  wait: Option.Option<Duration.Duration> = Option.none()
): ProviderError => new ProviderError({ kind: "Unavailable", detail, wait })

const { EngineFailed, EngineRefused, EngineUnavailable, LanguageUnsupported, StorageFailed } =
  Failure.cases

const failures = {
  Refused: EngineRefused,
  Barred: EngineUnavailable,
  Unavailable: EngineUnavailable,
  Malformed: EngineFailed
}

/** Converts a provider's error to a transcriber's failure reason. */
export const toFailure = ({ detail, kind }: ProviderError) => failures[kind].make({ detail })

/** Matches errors about unknown languages, but not about language models. */
const aboutLanguage = /\blanguages?\b(?! model)/i

/**
 * Like `toFailure`, but returns `LanguageUnsupported` if the provider refused the requested
 * language.
 */
export const toTranscriberError = (
  error: ProviderError,
  { language }: Pick<Recognition, "language">
) => {
  const { detail, kind } = error
  const isRefusal = kind === "Refused" || kind === "Barred"
  return isRefusal && language !== null && aboutLanguage.test(detail)
    ? failure(LanguageUnsupported.make({ language }))
    : failure(toFailure(error))
}

/** Creates the error for audio that could not be read. */
export const toStorageError = (error: unknown) =>
  failure(StorageFailed.make({ detail: error instanceof Error ? error.name : `${error}` }))

// Briefly retries a request if a retry can help. Later retries are left to the job's attempts.

/** Limits on brief retries. If all of them fail, the job's attempt fails. */
export interface Retries {
  readonly retryMax: number
  /** Maximum time from the first attempt to the last retry, including waits for `Retry-After`. */
  readonly within: Duration.Duration
  /** The first pause if the server requests none; the pause doubles with each retry. */
  readonly delay: Duration.Duration
}

/** Retries that take one minute occupy a worker's slot no longer than a short recording does. */
export const retries: Retries = {
  retryMax: 2,
  within: Duration.seconds(60),
  delay: Duration.seconds(1)
}

/**
 * Retries until there is a response, or an error that a retry cannot fix. After the time limit,
 * fails with the last error.
 */
export const tryAgain = Effect.fnUntraced(function* <A, E>(
  once: Effect.Effect<A, E>,
  { delay, retryMax, within }: Retries
): Effect.fn.Return<A, E> {
  const begunAt = yield* Clock.currentTimeMillis
  for (let retry = 0; ; retry++) {
    const outcome = yield* Effect.result(once)
    if (outcome._tag === "Success") return outcome.success
    const { failure } = outcome
    if (!(failure instanceof ProviderError) || failure.wait === undefined || retry === retryMax) {
      return yield* Effect.fail(failure)
    }
    const wait = Option.getOrElse(failure.wait, () => Duration.times(delay, 2 ** retry))
    const passed = Duration.millis((yield* Clock.currentTimeMillis) - begunAt)
    const isTooLate = Duration.isGreaterThan(Duration.sum(passed, wait), within)
    if (isTooLate) return yield* Effect.fail(failure)
    yield* Effect.sleep(wait)
  }
})
