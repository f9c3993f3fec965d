/**
 * Idempotency keys make a request safe to retry: for a day, the same request with the same key
 * returns the first result.
 */

import { DateTime, Duration, type Option, Schema } from "effect"
import { refusal } from "../schema/Refusal.ts"

/** An idempotency key: 1 to 255 visible ASCII characters, chosen by the client. */
export const IdempotencyKey = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,255}$/)).pipe(
  Schema.brand("IdempotencyKey")
)
export type IdempotencyKey = typeof IdempotencyKey.Type

/** How long an idempotency key refers to its first request. */
export const keyWindow: Duration.Duration = Duration.hours(24)

const windowMillis = Duration.toMillis(keyWindow)

/**
 * Whether a key that was used at the given time is still valid. A time a day or more in the future
 * comes from a wrong clock, and such a key counts as expired, because it would otherwise stay valid
 * for too long.
 */
export const isCurrentKey = (takenAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  Math.abs(DateTime.toEpochMillis(takenAt) - DateTime.toEpochMillis(now)) < windowMillis

/**
 * How long the record of an idempotency key is kept. A request without a key tries one derived key
 * after another, until it finds a key without a record. A record that was current when the next
 * record was written must therefore outlast the next record. The extra hour is for requests in
 * progress, whose records begin earlier.
 */
export const keyKept: Duration.Duration = Duration.sum(
  Duration.times(keyWindow, 2),
  Duration.hours(1)
)

/** Parses the `Idempotency-Key` header; returns none if it is malformed. */
export const parseKey: (text: string) => Option.Option<IdempotencyKey> =
  Schema.decodeOption(IdempotencyKey)

/** The idempotency key was used with a different request, or for a job that was deleted. */
export class IdempotencyConflict extends refusal<IdempotencyConflict>()("IdempotencyConflict", {
  fields: { reason: Schema.Literals(["OtherRequest", "JobDeleted"]) },
  sentence: ({ reason }) =>
    reason === "OtherRequest"
      ? "Idempotency-Key was already used with another request"
      : "Idempotency-Key was used for a transcription that has been deleted"
}) {}
