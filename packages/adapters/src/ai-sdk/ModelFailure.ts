/**
 * What it means that a model threw: the SDK marks its errors, so that they are known across its
 * versions and copies. Details are cleaned of whatever looks like a key. Pure.
 */
import { type DateTime, Option, Predicate, Result } from "effect"
import { reading } from "../engines/pieces/Json.ts"
import { printable } from "../engines/pieces/Printable.ts"
import {
  Malformed,
  makeError,
  type ProviderError,
  Refused,
  Unavailable
} from "../engines/provider/ProviderError.ts"
import { Setback } from "../engines/provider/Retries.ts"
import { meaningOf, retryAfter } from "../engines/provider/StatusMeaning.ts"

/** How deep an error is looked for in the one around it. */
const depthMax = 5

/** How much is read of a text from outside before it is cleaned. */
const rawCharacterMax = 2_000

/** Errors that stand for settings and models, which another attempt will not change. */
const refusals: ReadonlySet<string> = new Set([
  "AI_InvalidArgumentError",
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_NoSuchModelError",
  "AI_NoSuchProviderError",
  "AI_UnsupportedFunctionalityError",
  "AI_UnsupportedModelVersionError"
])

/** Errors of the way there, by their names or by the codes of Node. */
const passingNames = /^(?:AbortError|TimeoutError|TranscriptionJobPollingTimedOut)$/
const passingCodes = /^(?:ECONN\w+|EAI_AGAIN|ENOTFOUND|EPIPE|ETIMEDOUT|UND_ERR_\w+)$/

const textIn = (value: unknown, key: string): string | undefined =>
  Predicate.hasProperty(value, key) && Predicate.isString(value[key]) ? value[key] : undefined

/**
 * A text without what looks like a secret: the part of a URL that may hold one, what follows
 * `Bearer` or a prefix of keys, and long runs of letters and digits.
 */
const withoutSecrets = (text: string): string =>
  text
    .slice(0, rawCharacterMax)
    .replace(/(\w+:\/\/)[^\s/@]*@/g, "$1[key]@")
    .replace(/([?&][\w.-]+=)[^\s&"']+/g, "$1[key]")
    .replace(/\b(bearer|basic|token)(\s+)[\w.+/=*-]{6,}/gi, "$1$2[key]")
    .replace(/\b(?:sk|pk|rk|gsk|xi|key|api)[-_][\w*.-]{6,}/gi, "[key]")
    .replace(/(?=[\w+/*-]*\d)(?=[\w+/*-]*[a-z])[\w+/*-]{20,}=*/gi, "[key]")

const told = (text: string): string => printable(withoutSecrets(text))

/** What the provider says in its own words, else what the SDK says. */
const messageOf = (thrown: unknown): string => {
  const body = textIn(thrown, "responseBody") ?? ""
  const json = reading(Option.getOrUndefined(reading.parse(body)))
  const error = json.at("error").or(json.at("detail")).or(json.at("message")).or(json.at("err_msg"))
  const said = error.text ?? error.at("message").text ?? error.at(0).at("msg").text
  return said ?? textIn(thrown, "message") ?? body
}

const setback = (detail: string, wait: Setback["wait"]): Setback =>
  new Setback({ error: makeError(Unavailable.make({ detail })), wait })

/** An answer over HTTP that was none, or no answer. */
const callFailure = (thrown: object, now: DateTime.Utc): Setback | ProviderError => {
  const status = reading(thrown).at("statusCode").number
  const detail = told(`${status ?? ""} ${messageOf(thrown)}`)
  const headers = Predicate.hasProperty(thrown, "responseHeaders") ? thrown.responseHeaders : {}
  const isRetryable = Predicate.hasProperty(thrown, "isRetryable") && thrown.isRetryable === true
  if (isRetryable || status === undefined) {
    return setback(detail, retryAfter(Predicate.isObject(headers) ? { ...headers } : {}, now))
  }
  switch (meaningOf(status)) {
    // It was understood, but what came back could not be read.
    case "Done":
      return makeError(Malformed.make({ detail }))
    case "Refused":
      return makeError(Refused.make({ detail }))
    case "TryAgain":
      // The provider says that a repeat does not help now: the attempts of the job have longer.
      return makeError(Unavailable.make({ detail }))
  }
}

const judge = (thrown: unknown, now: DateTime.Utc, depth: number): Setback | ProviderError => {
  const name = textIn(thrown, "name") ?? ""
  const within = (key: string) =>
    Predicate.hasProperty(thrown, key) && depth < depthMax && Predicate.isObject(thrown[key])
      ? judge(thrown[key], now, depth + 1)
      : undefined
  const detail = told(`${name} ${messageOf(thrown)}`)
  if (Predicate.isObject(thrown) && name === "AI_APICallError") return callFailure(thrown, now)
  if (name === "AI_RetryError") {
    return within("lastError") ?? setback(detail, Option.none())
  }
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
