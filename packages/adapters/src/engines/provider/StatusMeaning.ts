/**
 * What a provider's answer means for the work. Providers use the same statuses for different
 * things, so a table of statuses and words decides, and its first row that fits wins. Pure.
 */
import { DateTime, Duration, Option } from "effect"

/**
 * What follows from an answer: `Refused` blames this content, `Barred` our key, model, account or
 * address, which hold for every content.
 */
export type StatusMeaning = "Done" | "Refused" | "Barred" | "TryAgain"

/** An answer: its status, and its body or what the client made of it. */
export interface ProviderAnswer {
  readonly status: number
  readonly said: string
}

interface Rule {
  /** The statuses, or the first and the last of a range. */
  readonly statuses: ReadonlyArray<number> | { readonly from: number; readonly to: number }
  /** What the answer must say, anywhere. Left out: the status alone decides. */
  readonly words?: RegExp
  readonly means: StatusMeaning
}

const anyOf = (...patterns: ReadonlyArray<string>) => new RegExp(patterns.join("|"), "i")

/** OpenAI, Azure, OpenRouter, Gemini: moderation judges the content, whatever the status. */
const moderation = anyOf(
  "content_policy|content_filter|content management policy",
  "moderation|flagged|responsible_?ai",
  'safety (?:system|policy|settings)|"SAFETY"'
)

/** OpenAI, ElevenLabs, AssemblyAI, DeepSeek: no second try within a minute finds money. */
const unpaid = anyOf(
  "insufficient[_ ](?:quota|balance|credits?|funds)|payment_required",
  "quota_exceeded|exceeded your current quota|billing_(?:hard_limit|not_active)",
  "(?:balance|credits?) (?:is|are) (?:negative|exhausted|too low)"
)

/** Gemini and xAI answer 400 to a wrong key. */
const badKey = anyOf(
  "invalid[_ ]api[_ ]key|incorrect api key|invalid_authentication|API_KEY_INVALID",
  "api[_ ]key(?: is)? (?:not valid|invalid|missing|expired)"
)

/** Mistral, OpenRouter, Groq, DeepSeek, vLLM and servers on FastAPI answer 400 or 422 to a name. */
const badModel = anyOf(
  "model_not_found|invalid_model|model_decommissioned|unknown_model|DeploymentNotFound",
  "(?:invalid|unknown|unsupported|no such) model|not a valid model",
  "model[^.:{}]{0,80}(?:does ?n[o']t exist|not exist|not found|(?:is|been) decommissioned)",
  "model[^.:{}]{0,80}is not (?:available|supported|installed)",
  '"param"\\s*:\\s*"model"|"loc"\\s*:\\s*\\[\\s*"body"\\s*,\\s*"model"'
)

/** A page is from a proxy or a firewall: what stands behind it has judged nothing. */
const page = /^\s*<(?:!doctype html|html)/i

const rules: ReadonlyArray<Rule> = [
  { statuses: { from: 200, to: 299 }, means: "Done" },
  { statuses: [400, 403], words: page, means: "Barred" },
  { statuses: [400, 403, 422, 451], words: moderation, means: "Refused" },
  { statuses: [400, 403, 429], words: unpaid, means: "Barred" },
  { statuses: [400, 422], words: badKey, means: "Barred" },
  { statuses: [400, 422], words: badModel, means: "Barred" },
  // The key, the money, the permission or the region; the model or the address; a proxy's password.
  { statuses: [401, 402, 403, 404, 405, 407, 410], means: "Barred" },
  // A redirect is not followed: the configured address is not where the server answers.
  { statuses: { from: 300, to: 399 }, means: "Barred" },
  // A time-out, a conflict of the moment, too early, too many requests.
  { statuses: [408, 409, 425, 429], means: "TryAgain" },
  { statuses: { from: 400, to: 499 }, means: "Refused" },
  { statuses: { from: 500, to: 599 }, means: "TryAgain" }
]

const hasStatus = ({ statuses }: Rule, status: number): boolean =>
  "from" in statuses ? status >= statuses.from && status <= statuses.to : statuses.includes(status)

/** How much of an answer is searched: pages of proxies are long. */
const saidLengthMax = 4_000

/** Judges an answer. A status outside HTTP's ranges is worth another try. */
export const meaningOf = ({ said, status }: ProviderAnswer): StatusMeaning => {
  const text = said.slice(0, saidLengthMax)
  const rule = rules.find(
    (each) => hasStatus(each, status) && (each.words === undefined || each.words.test(text))
  )
  return rule?.means ?? "TryAgain"
}

/** How long the server asks to wait: seconds, or a date. */
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
