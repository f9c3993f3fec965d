/** Idempotency keys in memory: each with the last request under it, until that lapsed long ago. */
import { keyKept } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import { DateTime, Duration } from "effect"

const keptMillis = Duration.toMillis(keyKept)

/**
 * Writes a record, and loses those that nobody looks for any more: each write comes last. One that
 * a clock far ahead has left is lost as well, so that it does not keep all that come after it.
 */
export const writeRecord = (
  records: Map<string, IdempotencyRecord>,
  { key, record }: { readonly key: string; readonly record: IdempotencyRecord }
): void => {
  records.delete(key)
  records.set(key, record)
  const now = DateTime.toEpochMillis(record.at)
  for (const [each, { at }] of records) {
    if (Math.abs(DateTime.toEpochMillis(at) - now) < keptMillis) return
    records.delete(each)
  }
}
