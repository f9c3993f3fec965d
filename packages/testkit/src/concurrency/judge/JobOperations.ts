/**
 * Collects the operations on each job, including those made at the end of the round. A claim with a
 * lost response may have taken any job. The judge tries such lost claims only if nothing else
 * explains the answers.
 */

import type { Recorded, RecordOf } from "../calls/CallRecord.ts"
import { isAnsweredBusy, type JobOperation } from "./JobModel.ts"
import { jobsOf, lateMillis, occurrenceOf, overlap, rowsOf, type Witness } from "./Occurrence.ts"

/**
 * Returns the ledger's charges for each job. A charge is identified by its amount, because each
 * commit of a round charges a different amount.
 */
const chargesOf = (records: ReadonlyArray<Recorded>, ledger: RecordOf<"ledger">) => {
  if (ledger.outcome.is !== "answered") return new Map<number, ReadonlyArray<number>>()
  const owners = new Map(
    records.flatMap((record) =>
      record.call === "commit" ? [[record.input.chargeMillis, record.input.job] as const] : []
    )
  )
  return Map.groupBy(ledger.outcome.answer.amounts, (amount) => owners.get(amount))
}

const isLedger = (record: Recorded): record is RecordOf<"ledger"> => record.call === "ledger"

export const operationsOfJobs = (
  records: ReadonlyArray<Recorded>,
  witnesses: ReadonlyMap<Recorded, Witness>
): ReadonlyMap<number, Array<JobOperation>> => {
  const operations = new Map<number, Array<JobOperation>>()
  const isRowFree = rowsOf(records)
  for (const record of records) {
    const when = occurrenceOf(record, witnesses)
    if (when === undefined) continue
    for (const job of jobsOf(record)) {
      const own = operations.get(job) ?? []
      const operation = { ...when, record, job }
      const isBusy = isAnsweredBusy(record, job)
      own.push(isBusy ? { ...operation, isRowFree: isRowFree(record, job) } : operation)
      operations.set(job, own)
    }
  }
  const ledger = records.find(isLedger)
  if (ledger === undefined) return operations
  const charges = chargesOf(records, ledger)
  const claims = records.filter(({ call, by }) => by === "end" && call === "claim")
  const claimed = new Set(claims.flatMap(jobsOf))
  const isSure = claims.length > 0 && claims.every(({ outcome }) => outcome.is === "answered")
  const { invoked, returned } = ledger
  for (const [job, own] of operations) {
    const last = { invoked, returned, record: ledger, job }
    own.push({ ...last, charges: charges.get(job) ?? [] })
    if (isSure && !claimed.has(job)) own.push({ ...last, isPassedOver: true })
  }
  return operations
}

/**
 * Maximum number of lost claims to try per job. With all twenty of a round, a search would reach
 * its step limit before it found a wrong answer. No correct run has needed more than one.
 */
const lostMax = 2

/** Returns all sets of one element, followed by all sets of two elements. */
const choices = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const larger = (some: ReadonlyArray<A>) =>
    all.slice(all.lastIndexOf(some.at(-1) as A) + 1).map((one) => [...some, one])
  let chosen: ReadonlyArray<ReadonlyArray<A>> = [[]]
  return Array.from({ length: lostMax }, () => {
    chosen = chosen.flatMap(larger)
    return chosen
  }).flat()
}

/** Adds claims to the operations, and marks each renewal if a claim may have locked its row. */
const withClaims = (
  operations: ReadonlyArray<JobOperation>,
  claims: ReadonlyArray<JobOperation>
): ReadonlyArray<JobOperation> => [
  ...operations.map((operation) =>
    operation.isRowFree === true && claims.some((claim) => overlap(claim, operation))
      ? { ...operation, isRowFree: false }
      : operation
  ),
  ...claims
]

/**
 * Returns several versions of a job's operations, each with a different set of lost claims. A lost
 * claim is a claim without a response that may have taken the job while the operations ran.
 */
export const withLostClaims = (
  records: ReadonlyArray<Recorded>,
  job: number,
  operations: ReadonlyArray<JobOperation>
): ReadonlyArray<ReadonlyArray<JobOperation>> => {
  // Records are ordered by process, so the first operation in the list may not be the earliest.
  const first = operations.reduce((least, { invoked }) => Math.min(least, invoked), Infinity)
  const lost = records
    .filter(({ call, outcome }) => call === "claim" && outcome.is === "unknown")
    .map((record) => ({
      invoked: record.invoked,
      returned: record.returned + lateMillis,
      record,
      job
    }))
    .filter(({ returned }) => returned >= first)
  return choices(lost).map((claims) => withClaims(operations, claims))
}
