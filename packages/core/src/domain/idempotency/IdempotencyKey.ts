/**
 * Keys under which a client may send a request again without having it done twice: the same key
 * with the same request, within a day, names what the first one made.
 */

import { DateTime, Duration, type Option, Schema } from "effect"
import { refusal } from "../schema/Refusal.ts"

/** 1 to 255 visible ASCII characters, chosen by the client. */
export const IdempotencyKey = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,255}$/)).pipe(
  Schema.brand("IdempotencyKey")
)
export type IdempotencyKey = typeof IdempotencyKey.Type

/** How long a key stands for its first request. */
export const keyWindow: Duration.Duration = Duration.hours(24)

const windowMillis = Duration.toMillis(keyWindow)

/**
 * Whether a key that was taken at an instant stands now. One from as far ahead as it could stand
 * was taken by a clock that was wrong, and has lapsed: else it would stand until that day is over.
 */
export const isCurrentKey = (takenAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  Math.abs(DateTime.toEpochMillis(takenAt) - DateTime.toEpochMillis(now)) < windowMillis

/**
 * How long a record of a key is kept. Requests that come without a key look under one derived key
 * after the other, up to the first that has no record: a record that was current when the next was
 * written must outlast that one. The hour is for requests under way, which count from an earlier
 * instant.
 */
export const keyKept: Duration.Duration = Duration.sum(
  Duration.times(keyWindow, 2),
  Duration.hours(1)
)

/** Reads the header; none when it is malformed. */
export const parseKey: (text: string) => Option.Option<IdempotencyKey> =
  Schema.decodeOption(IdempotencyKey)

/** A key came with a different request than before, or its job is gone. */
export class IdempotencyConflict extends refusal<IdempotencyConflict>()("IdempotencyConflict", {
  fields: { reason: Schema.Literals(["OtherRequest", "JobDeleted"]) },
  sentence: ({ reason }) =>
    reason === "OtherRequest"
      ? "Idempotency-Key was already used with another request"
      : "Idempotency-Key was used for a transcription that has been deleted"
}) {}
