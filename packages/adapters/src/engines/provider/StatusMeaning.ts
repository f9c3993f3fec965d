/**
 * What an answer's status means for the work: done, refused for good, or worth another try, and
 * when. Pure.
 */
import { DateTime, Duration, Option } from "effect"

/** What follows from a status. */
export type StatusMeaning = "Done" | "Refused" | "TryAgain"

/** Transient client errors: a time-out, a conflict of the moment, too many requests. */
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 429])

/** Judges a status. A redirect is not followed, so it is a refusal. */
export const meaningOf = (status: number): StatusMeaning => {
  if (status >= 200 && status < 300) return "Done"
  return status >= 500 || transientStatuses.has(status) ? "TryAgain" : "Refused"
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
