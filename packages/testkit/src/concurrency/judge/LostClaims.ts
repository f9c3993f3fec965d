/**
 * A claim whose answer was lost may have taken any job. Lost claims are tried only if nothing else
 * explains the answers.
 */
import type { Recorded } from "../calls/CallRecord.ts"
import type { JobOperation } from "./JobModel.ts"
import { lateMillis, overlap } from "./Occurrence.ts"

/**
 * Maximum number of lost claims tried per job. With all twenty lost claims of a round, a search
 * would give up, and a wrong answer would remain undecided. No correct run has needed more than one
 * lost claim.
 */
const lostMax = 2

/** Returns all choices of one element, and then all choices of two elements. */
const choices = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const larger = (some: ReadonlyArray<A>) =>
    all.slice(all.lastIndexOf(some.at(-1) as A) + 1).map((one) => [...some, one])
  let chosen: ReadonlyArray<ReadonlyArray<A>> = [[]]
  return Array.from({ length: lostMax }, () => {
    chosen = chosen.flatMap(larger)
    return chosen
  }).flat()
}

/** Adds claims that may have locked the job's row. */
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
 * Returns the operations on a job, extended by each choice of a few lost claims that may have taken
 * the job. The statements of these claims may have been running during the operations.
 */
export const withLostClaims = (
  records: ReadonlyArray<Recorded>,
  job: number,
  operations: ReadonlyArray<JobOperation>
): ReadonlyArray<ReadonlyArray<JobOperation>> => {
  // Records are ordered by process, so the first operation need not be the earliest.
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
