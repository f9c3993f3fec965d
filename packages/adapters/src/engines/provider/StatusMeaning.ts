/**
 * Classifies a provider's response. Different providers use the same status for different problems,
 * so a table of statuses and words decides; the first matching row wins. Pure.
 */
import { DateTime, Duration, Option } from "effect"

/**
 * `Refused` is about this content only. `Barred` is about the key, model, account or address that
 * Verbatim uses, so it affects every request.
 */
export type StatusMeaning = "Done" | "Refused" | "Barred" | "TryAgain"

/** A response: its status, and its body or the client's description of the error. */
export interface ProviderAnswer {
  readonly status: number
  readonly content: string
}

interface Rule {
  /** The statuses that match: a list, or the first and last of a range. */
  readonly statuses: ReadonlyArray<number> | { readonly from: number; readonly to: number }
  /** Words that the response must contain. If omitted, only the status decides. */
  readonly words?: RegExp
  readonly means: StatusMeaning
}

const anyOf = (...patterns: ReadonlyArray<string>) => new RegExp(patterns.join("|"), "i")

/** OpenAI, Azure, OpenRouter, Gemini: moderation is about the content, whatever the status. */
const moderation = anyOf(
  "content_policy|content_filter|content management policy",
  "moderation|flagged|responsible_?ai",
  'safety (?:system|policy|settings)|"SAFETY"'
)

/**
 * OpenAI, ElevenLabs, AssemblyAI, DeepSeek: if the account has no credit left, a retry within a
 * minute is pointless.
 */
const unpaid = anyOf(
  "insufficient[_ ](?:quota|balance|credits?|funds)|payment_required",
  "quota_exceeded|exceeded your current quota|billing_(?:hard_limit|not_active)",
  "(?:balance|credits?) (?:is|are) (?:negative|exhausted|too low)"
)

/** Gemini and xAI respond to an invalid key with 400. */
const badKey = anyOf(
  "invalid[_ ]api[_ ]key|incorrect api key|invalid_authentication|API_KEY_INVALID",
  "api[_ ]key(?: is)? (?:not valid|invalid|missing|expired)"
)

/**
 * Mistral, OpenRouter, Groq, DeepSeek, vLLM and FastAPI servers respond to an unknown model with
 * 400 or 422.
 */
const badModel = anyOf(
  "model_not_found|invalid_model|model_decommissioned|unknown_model|DeploymentNotFound",
  "(?:invalid|unknown|unsupported|no such) model|not a valid model",
  "model[^.:{}]{0,80}(?:does ?n[o']t exist|not exist|not found|(?:is|been) decommissioned)",
  "model[^.:{}]{0,80}is not (?:available|supported|installed)",
  '"param"\\s*:\\s*"model"|"loc"\\s*:\\s*\\[\\s*"body"\\s*,\\s*"model"'
)

/** An HTML page comes from a proxy or firewall; the server behind it has not seen the request. */
const page = /^\s*<(?:!doctype html|html)/i

const rules: ReadonlyArray<Rule> = [
  { statuses: { from: 200, to: 299 }, means: "Done" },
  { statuses: [400, 403], words: page, means: "Barred" },
  { statuses: [400, 403, 422, 451], words: moderation, means: "Refused" },
  { statuses: [400, 403, 429], words: unpaid, means: "Barred" },
  { statuses: [400, 422], words: badKey, means: "Barred" },
  { statuses: [400, 422], words: badModel, means: "Barred" },
  // Problems with the key, billing, permissions, region, model, address, or a proxy's password.
  { statuses: [401, 402, 403, 404, 405, 407, 410], means: "Barred" },
  // Redirects are not followed. A redirect means that the server is not at the configured address.
  { statuses: { from: 300, to: 399 }, means: "Barred" },
  // Statuses for temporary problems: timeout, conflict, too early, too many requests.
  { statuses: [408, 409, 425, 429], means: "TryAgain" },
  { statuses: { from: 400, to: 499 }, means: "Refused" },
  { statuses: { from: 500, to: 599 }, means: "TryAgain" }
]

const hasStatus = ({ statuses }: Rule, status: number): boolean =>
  "from" in statuses ? status >= statuses.from && status <= statuses.to : statuses.includes(status)

/** Number of characters to search in a response, because proxies return long pages. */
const contentLengthMax = 4_000

/**
 * Classifies a provider's response. A request is retried if its status is outside HTTP's ranges.
 */
export const meaningOf = ({ content, status }: ProviderAnswer): StatusMeaning => {
  const text = content.slice(0, contentLengthMax)
  const rule = rules.find(
    (each) => hasStatus(each, status) && (each.words === undefined || each.words.test(text))
  )
  return rule?.means ?? "TryAgain"
}

/** Reads `Retry-After`, which contains seconds or a date. */
export const retryAfter = (
  headers: Readonly<Record<string, unknown>>,
  now: DateTime.Utc
): Option.Option<Duration.Duration> => {
  const value = headers["retry-after"]
  if (typeof value !== "string") return Option.none()
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Option.some(Duration.seconds(Number(value)))
  return Option.map(DateTime.make(value), (instant) =>
    Duration.max(DateTime.distance(now, instant), Duration.zero)
  )
}
