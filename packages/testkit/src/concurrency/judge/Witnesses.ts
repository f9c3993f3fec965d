/**
 * Finds inserts with a key whose answer was lost but whose effect was seen. A job and the record of
 * its key are written together, so seeing either one proves both. Jobs and keys are judged
 * separately, and both searches use this proof.
 */
import type { Recorded } from "../calls/CallRecord.ts"

/** Proof that an insert took effect. */
export interface Witness {
  /** The first record that shows the insert's effect. */
  readonly seenBy: Recorded
  /** The latest time at which the insert can have taken effect. */
  readonly returned: number
}

/** Returns the jobs that were provably inserted: by their own record, or by the key's record. */
const jobsSeen = (record: Recorded): ReadonlyArray<number> => {
  if (record.outcome.is !== "answered") return []
  switch (record.call) {
    case "insert":
    case "idempotency":
      return record.outcome.answer === null ? [] : [record.outcome.answer.job]
    case "find":
    case "remove":
    case "transcript":
      return record.outcome.answer === null ? [] : [record.input.job]
    case "history":
      return record.outcome.answer.length === 0 ? [] : [record.input.job]
    case "commit":
      return [record.input.job]
    case "claim":
      return record.outcome.answer.jobs.map(({ job }) => job)
    case "renew":
      return record.outcome.answer.extended
    default:
      return []
  }
}

/** Returns, for each job, the earliest record that shows it. */
const firstSights = (records: ReadonlyArray<Recorded>): ReadonlyMap<number, Recorded> => {
  const sights = new Map<number, Recorded>()
  for (const record of records) {
    for (const job of jobsSeen(record)) {
      const known = sights.get(job)
      if (known === undefined || record.returned < known.returned) sights.set(job, record)
    }
  }
  return sights
}

/** The shortest time between the last abandoned call and the final calls, in milliseconds. */
const tickMillis = 0.001

/** Returns the time after which no abandoned call is running. */
const calmOf = (records: ReadonlyArray<Recorded>): number =>
  records.reduce(
    (first, { by, invoked }) => (by === "end" ? Math.min(first, invoked - tickMillis) : first),
    Number.POSITIVE_INFINITY
  )

/** Returns the inserts whose effect was seen. */
export const witnessesOf = (records: ReadonlyArray<Recorded>): ReadonlyMap<Recorded, Witness> => {
  const sights = firstSights(records)
  const calmAt = calmOf(records)
  const witnesses = new Map<Recorded, Witness>()
  for (const record of records) {
    if (record.call !== "insert" || record.outcome.is !== "unknown") continue
    const seenBy = record.input.key === null ? undefined : sights.get(record.input.job)
    if (seenBy === undefined) continue
    witnesses.set(record, { seenBy, returned: Math.min(seenBy.returned, calmAt) })
  }
  return witnesses
}
