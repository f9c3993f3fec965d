/**
 * What it means that a model threw: the SDK marks its errors, so that they are known across its
 * versions and copies. Details are cleaned of whatever looks like a key. Pure.
 */
import { toLine } from "@verbatim/core/attempt"
import { type DateTime, Option, Predicate, Result } from "effect"
import { reading, readProblem } from "../engines/pieces/Json.ts"
import {
  Barred,
  Malformed,
  makeError,
  type ProviderError,
  Refused,
  Setback,
  Unavailable
} from "../engines/provider/ProviderFailure.ts"
import { meaningOf, retryAfter } from "../engines/provider/StatusMeaning.ts"

/** How deep an error is looked for in the one around it. */
const depthMax = 5

/** Errors that stand for our key, our model or our settings, whatever is sent. */
const bars: ReadonlySet<string> = new Set([
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_NoSuchModelError",
  "AI_NoSuchProviderError",
  "AI_UnsupportedModelVersionError"
])

/** Errors about one call, which another attempt will not change. */
const refusals: ReadonlySet<string> = new Set([
  "AI_InvalidArgumentError",
  "AI_UnsupportedFunctionalityError"
])

/** The host's own options for the provider go into every call. */
const isBar = (thrown: unknown, name: string): boolean =>
  bars.has(name) ||
  (name === "AI_InvalidArgumentError" && textIn(thrown, "argument") === "providerOptions")

/** Errors of the way there, by their names or by the codes of Node. */
const passingNames = /^(?:AbortError|TimeoutError|TranscriptionJobPollingTimedOut)$/
const passingCodes = /^(?:ECONN\w+|EAI_AGAIN|ENOTFOUND|EPIPE|ETIMEDOUT|UND_ERR_\w+)$/

const textIn = (value: unknown, key: string): string | undefined =>
  Predicate.hasProperty(value, key) && Predicate.isString(value[key]) ? value[key] : undefined

/** All that an answer says, for its meaning. */
const answerText = (thrown: unknown): string =>
  `${textIn(thrown, "responseBody") ?? ""} ${textIn(thrown, "message") ?? ""}`

/** What the provider says in its own words, else what the SDK says. */
const messageOf = (thrown: unknown): string => {
  const body = textIn(thrown, "responseBody") ?? ""
  const { message } = readProblem(Option.getOrUndefined(reading.parse(body)))
  return message ?? textIn(thrown, "message") ?? body
}

const setback = (detail: string, wait: Setback["wait"]): Setback =>
  new Setback({ error: makeError(Unavailable.make({ detail })), wait })

/** An answer over HTTP that was none, or no answer. */
const callFailure = (thrown: object, now: DateTime.Utc): Setback | ProviderError => {
  const status = reading(thrown).at("statusCode").number
  const detail = toLine(`${status ?? ""} ${messageOf(thrown)}`)
  const headers = Predicate.hasProperty(thrown, "responseHeaders") ? thrown.responseHeaders : {}
  const isRetryable = Predicate.hasProperty(thrown, "isRetryable") && thrown.isRetryable === true
  const meaning =
    status === undefined ? "TryAgain" : meaningOf({ status, said: answerText(thrown) })
  switch (meaning) {
    // It was understood, but what came back could not be read.
    case "Done":
      return makeError(Malformed.make({ detail }))
    case "Refused":
      return makeError(Refused.make({ detail }))
    case "Barred":
      return makeError(Barred.make({ detail }))
    case "TryAgain":
      // Else the provider says that a repeat does not help now: the job's attempts have longer.
      return isRetryable || status === undefined
        ? setback(detail, retryAfter(Predicate.isObject(headers) ? { ...headers } : {}, now))
        : makeError(Unavailable.make({ detail }))
  }
}

const judge = (thrown: unknown, now: DateTime.Utc, depth: number): Setback | ProviderError => {
  const name = textIn(thrown, "name") ?? ""
  const within = (key: string) =>
    Predicate.hasProperty(thrown, key) && depth < depthMax && Predicate.isObject(thrown[key])
      ? judge(thrown[key], now, depth + 1)
      : undefined
  const detail = toLine(`${name} ${messageOf(thrown)}`)
  if (Predicate.isObject(thrown) && name === "AI_APICallError") return callFailure(thrown, now)
  if (name === "AI_RetryError") {
    return within("lastError") ?? setback(detail, Option.none())
  }
  if (isBar(thrown, name)) return makeError(Barred.make({ detail }))
  if (refusals.has(name)) return makeError(Refused.make({ detail }))
  if (passingNames.test(name) || passingCodes.test(textIn(thrown, "code") ?? "")) {
    return setback(detail, Option.none())
  }
  // `fetch` says why in the cause.
  if (name === "TypeError" && messageOf(thrown) === "fetch failed") {
    return setback(detail, Option.none())
  }
  return makeError(Malformed.make({ detail: detail === "" ? "the model failed" : detail }))
}

/** The failure that something thrown stands for. */
export const failureOf = (thrown: unknown, now: DateTime.Utc): Setback | ProviderError =>
  Result.getOrElse(
    Result.try(() => judge(thrown, now, 0)),
    () => makeError(Malformed.make({ detail: "the model failed" }))
  )
