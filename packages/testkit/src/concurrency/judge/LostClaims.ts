/**
 * Claims whose answers got lost: nobody knows what they took, so any of them may have taken a job.
 * They are tried only where nothing else explains the answers: almost always nobody ever sees them.
 */
import type { Recorded } from "../questions/Question.ts"
import type { JobOperation } from "./JobModel.ts"
import { lateMillis, overlap } from "./Occurrence.ts"

/**
 * Lost claims that may have taken one job. A search that may choose among all twenty of a round
 * gives up, and a wrong answer passes as undecided; no sound run has needed more than one.
 */
const lostMax = 2

/** Every choice of one of them, then every choice of two. */
const choices = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const larger = (some: ReadonlyArray<A>) =>
    all.slice(all.lastIndexOf(some.at(-1) as A) + 1).map((one) => [...some, one])
  let chosen: ReadonlyArray<ReadonlyArray<A>> = [[]]
  return Array.from({ length: lostMax }, () => {
    chosen = chosen.flatMap(larger)
    return chosen
  }).flat()
}

/** The operations with claims, which may have held the row of the job meanwhile. */
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
 * These operations on a job with each choice of a few claims that may have taken it. The chosen
 * ones did take it, while their statements may still have run.
 */
export const withLostClaims = (
  records: ReadonlyArray<Recorded>,
  job: number,
  operations: ReadonlyArray<JobOperation>
): ReadonlyArray<ReadonlyArray<JobOperation>> => {
  // Records come process by process, so the first of them need not be the earliest.
  const first = operations.reduce((least, { invoked }) => Math.min(least, invoked), Infinity)
  const lost = records
    .filter(({ ask, outcome }) => ask === "claim" && outcome.is === "unknown")
    .map((record) => ({
      invoked: record.invoked,
      returned: record.returned + lateMillis,
      record,
      job
    }))
    .filter(({ returned }) => returned >= first)
  return choices(lost).map((claims) => withClaims(operations, claims))
}
