/** Collects the operations on each job, including those made at the end of the round. */

import type { Recorded, RecordOf } from "../calls/CallRecord.ts"
import { isAnsweredBusy, type JobOperation } from "./JobModel.ts"
import { jobsOf, occurrenceOf, rowsOf } from "./Occurrence.ts"
import type { Witness } from "./Witnesses.ts"

/**
 * Returns the ledger's charges for each job. A charge is identified by its amount, which is unique
 * to one commit of the round.
 */
const chargesOf = (records: ReadonlyArray<Recorded>, ledger: RecordOf<"ledger"> | undefined) => {
  const charges = new Map<number, Array<number>>()
  if (ledger?.outcome.is !== "answered") return charges
  const owners = new Map(
    records.flatMap((record) =>
      record.call === "commit" && record.input.chargeMillis !== null
        ? [[record.input.chargeMillis, record.input.job] as const]
        : []
    )
  )
  for (const amount of ledger.outcome.answer.amounts) {
    const job = owners.get(amount)
    if (job !== undefined) charges.set(job, [...(charges.get(job) ?? []), amount])
  }
  return charges
}

const isLedger = (record: Recorded): record is RecordOf<"ledger"> => record.call === "ledger"

/** Returns the operations on each job. */
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
