/** Idempotency keys in memory: each with the last request under it, until that lapsed long ago. */
import { keyKept } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import { DateTime } from "effect"

/** Writes a record, and loses those that nobody looks for any more: each write comes last. */
export const writeRecord = (
  records: Map<string, IdempotencyRecord>,
  { key, record }: { readonly key: string; readonly record: IdempotencyRecord }
): void => {
  records.delete(key)
  records.set(key, record)
  const oldest = DateTime.subtractDuration(record.at, keyKept)
  for (const [each, { at }] of records) {
    if (DateTime.isGreaterThan(at, oldest)) return
    records.delete(each)
  }
}
