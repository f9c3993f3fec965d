/**
 * Classifies errors thrown by a model. The SDK's errors are recognised by name, so that this works
 * with any version or copy of the SDK. Text that looks like a key is removed from details. Pure.
 */
import { toLine } from "@verbatim/core/attempt"
import { type DateTime, Option, Predicate, Result } from "effect"
import { readProblem, viewJson } from "../engines/pieces/Json.ts"
import { type ProviderError, providerError, setback } from "../engines/provider/ProviderFailure.ts"
import { meaningOf, retryAfter } from "../engines/provider/StatusMeaning.ts"

/** Maximum number of nested errors to inspect. */
const depthMax = 5

/** Errors caused by the key, the model or the settings, regardless of the request. */
const bars: ReadonlySet<string> = new Set([
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_NoSuchModelError",
  "AI_NoSuchProviderError",
  "AI_UnsupportedModelVersionError"
])

/** Errors about one call that another attempt cannot fix. */
const refusals: ReadonlySet<string> = new Set([
  "AI_InvalidArgumentError",
  "AI_UnsupportedFunctionalityError"
])

/** The host's provider options are part of every call, so an error in them affects every call. */
const isBar = (thrown: unknown, name: string): boolean =>
  bars.has(name) ||
  (name === "AI_InvalidArgumentError" && textIn(thrown, "argument") === "providerOptions")

/** Transient errors, recognised by name or by Node's error code. */
const passingNames = /^(?:AbortError|TimeoutError|TranscriptionJobPollingTimedOut)$/
const passingCodes = /^(?:ECONN\w+|EAI_AGAIN|ENOTFOUND|EPIPE|ETIMEDOUT|UND_ERR_\w+)$/

const textIn = (value: unknown, key: string): string | undefined =>
  Predicate.hasProperty(value, key) && Predicate.isString(value[key]) ? value[key] : undefined

/** Returns an error's response body and message, for classification. */
const answerText = (thrown: unknown): string =>
  `${textIn(thrown, "responseBody") ?? ""} ${textIn(thrown, "message") ?? ""}`

/** Returns the provider's own message, or else the SDK's. */
const messageOf = (thrown: unknown): string => {
  const body = textIn(thrown, "responseBody") ?? ""
  const { message } = readProblem(Option.getOrUndefined(viewJson.parse(body)))
  return message ?? textIn(thrown, "message") ?? body
}

/** Classifies an HTTP error, or a call that got no response. */
const callFailure = (thrown: object, now: DateTime.Utc): ProviderError => {
  const status = viewJson(thrown).at("statusCode").number
  const detail = toLine(`${status ?? ""} ${messageOf(thrown)}`)
  const headers = Predicate.hasProperty(thrown, "responseHeaders") ? thrown.responseHeaders : {}
  const isRetryable = Predicate.hasProperty(thrown, "isRetryable") && thrown.isRetryable === true
  const meaning =
    status === undefined ? "TryAgain" : meaningOf({ status, content: answerText(thrown) })
  // The request was accepted, but the response could not be read.
  if (meaning === "Done") return providerError("Malformed", detail)
  if (meaning !== "TryAgain") return providerError(meaning, detail)
  // If the error is not retryable, an immediate retry is useless, and the job's next attempt begins
  // later.
  return isRetryable || status === undefined
    ? setback(detail, retryAfter(Predicate.isObject(headers) ? { ...headers } : {}, now))
    : providerError("Unavailable", detail)
}

const judge = (thrown: unknown, now: DateTime.Utc, depth: number): ProviderError => {
  const name = textIn(thrown, "name") ?? ""
  const within = (key: string) =>
    Predicate.hasProperty(thrown, key) && depth < depthMax && Predicate.isObject(thrown[key])
      ? judge(thrown[key], now, depth + 1)
      : undefined
  const detail = toLine(`${name} ${messageOf(thrown)}`)
  if (Predicate.isObject(thrown) && name === "AI_APICallError") return callFailure(thrown, now)
  if (name === "AI_RetryError") return within("lastError") ?? setback(detail)
  if (isBar(thrown, name)) return providerError("Barred", detail)
  if (refusals.has(name)) return providerError("Refused", detail)
  // `fetch` puts the reason into the error's cause.
  const isFetch = name === "TypeError" && messageOf(thrown) === "fetch failed"
  if (isFetch || passingNames.test(name) || passingCodes.test(textIn(thrown, "code") ?? "")) {
    return setback(detail)
  }
  return providerError("Malformed", detail === "" ? "the model failed" : detail)
}

/** Returns the failure for an error thrown by a model. */
export const failureOf = (thrown: unknown, now: DateTime.Utc): ProviderError =>
  Result.getOrElse(
    Result.try(() => judge(thrown, now, 0)),
    () => providerError("Malformed", "the model failed")
  )
