/** Which records are about which job, and when the things that they report happened. */

import type { Recorded, RecordOf } from "../questions/Question.ts"
import type { JobOperation } from "./JobModel.ts"
import type { Operation } from "./Linear.ts"

/** Questions that may have written something although their answer was lost. */
const writes: ReadonlySet<Recorded["ask"]> = new Set([
  "insert",
  "commit",
  "release",
  "remove",
  "lapse",
  "append",
  "revise"
])

/** When it happened; none when its loss has no effect. */
export const intervalOf = ({
  ask,
  invoked,
  outcome,
  returned
}: Recorded): Operation | undefined => {
  if (outcome.is === "refused" && outcome.reason === "Contended") return undefined
  // A lease whose row is locked is not given back, and lapses: nobody is told which.
  if (ask === "release") return { invoked, returned: Number.POSITIVE_INFINITY }
  if (outcome.is !== "unknown") return { invoked, returned }
  return writes.has(ask) ? { invoked, returned: Number.POSITIVE_INFINITY } : undefined
}

/** The jobs that a record is about. */
export const jobsOf = (record: Recorded): ReadonlyArray<number> => {
  switch (record.ask) {
    case "insert":
    case "commit":
    case "find":
    case "remove":
    case "history":
    case "transcript":
      return [record.question.job]
    case "claim":
      return record.outcome.is === "answered"
        ? record.outcome.answer.jobs.map(({ job }) => job)
        : []
    case "renew":
    case "release":
      return [...new Set(record.question.leases.map(({ job }) => job))]
    case "lapse":
      return record.question.jobs
    default:
      return []
  }
}

/** What the ledger says about each job: by the amount, which only one commit of the round names. */
const chargesOf = (records: ReadonlyArray<Recorded>, ledger: RecordOf<"ledger"> | undefined) => {
  const charges = new Map<number, Array<number>>()
  if (ledger?.outcome.is !== "answered") return charges
  const owners = new Map(
    records.flatMap((record) =>
      record.ask === "commit" && record.question.chargeMillis !== null
        ? [[record.question.chargeMillis, record.question.job] as const]
        : []
    )
  )
  for (const amount of ledger.outcome.answer.amounts) {
    const job = owners.get(amount)
    if (job !== undefined) charges.set(job, [...(charges.get(job) ?? []), amount])
  }
  return charges
}

const isLedger = (record: Recorded): record is RecordOf<"ledger"> => record.ask === "ledger"

/** The operations on each job, with the end of the round. */
export const operationsOfJobs = (
  records: ReadonlyArray<Recorded>
): ReadonlyMap<number, Array<JobOperation>> => {
  const operations = new Map<number, Array<JobOperation>>()
  for (const record of records) {
    const when = intervalOf(record)
    if (when === undefined) continue
    for (const job of jobsOf(record)) {
      const own = operations.get(job) ?? []
      own.push({ ...when, record, job })
      operations.set(job, own)
    }
  }
  const ledger = records.find(isLedger)
  if (ledger === undefined) return operations
  const charges = chargesOf(records, ledger)
  const claims = records.filter(({ ask, by }) => by === "end" && ask === "claim")
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
