/**
 * Finds a record's jobs, and when its effects happened. If the response to an insert with a key was
 * lost, another record can prove that the insert took effect. A job and its key's record are
 * written together, so a read of either one proves both.
 */

import type { Operation } from "../../model/Linear.ts"
import { isRead } from "../../model/PresetModel.ts"
import type { CallName, Recorded } from "../calls/CallRecord.ts"

/** Calls that may have written something even though their response was lost. */
const writes: ReadonlySet<CallName> = new Set([
  "insert",
  "commit",
  "release",
  "remove",
  "lapse",
  "preset"
])

/** Refusals that prove nothing about the stored state. */
const effectless: ReadonlySet<string> = new Set(["Contended", "NotWritten"])

/**
 * Milliseconds within which a call can still take effect after its caller has left. A busy server
 * may run a statement late, but no statement of the stores takes more than five seconds.
 */
export const lateMillis = 10_000

/**
 * When a call happened and, if the response was lost, which other record shows the call's effect.
 */
export type Occurrence = Operation & Partial<Witness>

/** Returns when a call happened, or undefined if the call was lost and had no effect. */
export const occurrenceOf = (
  record: Recorded,
  witnesses: ReadonlyMap<Recorded, Witness>
): Occurrence | undefined => {
  const { call, invoked, outcome, returned } = record
  const witness = witnesses.get(record)
  if (witness !== undefined) return { invoked, ...witness }
  if (outcome.is === "refused" && effectless.has(outcome.reason)) return undefined
  // A lock does not change the stored state.
  if (call === "hold") return undefined
  // If its row is locked, a lease is not released, but expires later. The answer does not say which
  // leases were released.
  if (call === "release") return { invoked, returned: Number.POSITIVE_INFINITY }
  if (outcome.is !== "unknown") return { invoked, returned }
  if (record.call === "preset" && isRead(record.input.command)) return undefined
  return writes.has(call) ? { invoked, returned: Number.POSITIVE_INFINITY } : undefined
}

/** Returns the numbers of the jobs that a recorded call concerns. */
export const jobsOf = (record: Recorded): ReadonlyArray<number> => {
  switch (record.call) {
    case "insert":
    case "commit":
    case "find":
    case "remove":
    case "history":
    case "transcript":
      return [record.input.job]
    case "claim":
      return record.outcome.is === "answered"
        ? record.outcome.answer.jobs.map(({ job }) => job)
        : []
    case "renew":
    case "release":
      return [...new Set(record.input.leases.map(({ job }) => job))]
    case "lapse":
      return record.input.jobs
    case "hold":
      return "job" in record.input ? [record.input.job] : []
    default:
      return []
  }
}

/** Calls that lock rows until they succeed or are refused. */
const holders: ReadonlySet<CallName> = new Set([...writes, "claim", "renew", "hold"])

/** Returns when a call may have locked rows, or undefined for a call that only reads. */
export const holdOf = ({ call, invoked, outcome, returned }: Recorded): Operation | undefined => {
  if (!holders.has(call)) return undefined
  return { invoked, returned: outcome.is === "unknown" ? returned + lateMillis : returned }
}

export const overlap = (one: Operation, other: Operation): boolean =>
  one.invoked <= other.returned && other.invoked <= one.returned

/**
 * Returns whether no other caller can have locked a job's row while its lease was renewed. A claim
 * locks a row without returning its work only if the row was changed concurrently.
 */
export const rowsOf = (
  records: ReadonlyArray<Recorded>
): ((renewal: Recorded, job: number) => boolean) => {
  const claims = records.filter(({ call }) => call === "claim")
  const named = Map.groupBy(
    records.flatMap((record) => jobsOf(record).map((job) => ({ job, record }))),
    ({ job }) => job
  )
  return (renewal, job) => {
    const others = (named.get(job) ?? []).filter(({ record }) => record !== renewal)
    const holds = others.flatMap(({ record }) => holdOf(record) ?? [])
    const isHeldIn = (interval: Operation) => holds.some((hold) => overlap(hold, interval))
    return !isHeldIn(renewal) && !claims.some((one) => overlap(one, renewal) && isHeldIn(one))
  }
}

/** Proof that an insert took effect. */
export interface Witness {
  /** The earliest record that shows the inserted job or key. */
  readonly seenBy: Recorded
  /** The latest time at which the insert could have taken effect. */
  readonly returned: number
}

/** Returns the jobs that a record proves to be inserted, either by the job itself or by its key. */
const jobsSeen = (record: Recorded): ReadonlyArray<number> => {
  if (record.outcome.is !== "answered") return []
  switch (record.call) {
    case "insert":
    case "idempotency":
      return record.outcome.answer === null ? [] : [record.outcome.answer.job]
    case "find":
    case "remove":
    case "transcript":
      return record.outcome.answer === null ? [] : jobsOf(record)
    case "history":
      return record.outcome.answer.length === 0 ? [] : jobsOf(record)
    case "commit":
    case "claim":
      return jobsOf(record)
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

/** Minimum milliseconds between the last abandoned call and the final calls. */
const tickMillis = 0.001

/** Returns the time after which no abandoned call is running. */
const calmOf = (records: ReadonlyArray<Recorded>): number =>
  records.reduce(
    (first, { by, invoked }) => (by === "end" ? Math.min(first, invoked - tickMillis) : first),
    Number.POSITIVE_INFINITY
  )

/** Returns the inserts that another record proves, with that record. */
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
