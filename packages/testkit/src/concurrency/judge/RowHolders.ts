/**
 * Who may have held the work row of a job during a renewal, which may answer `busy` only while
 * somebody else did.
 */

import type { Operation } from "../../model/Linear.ts"
import type { Recorded } from "../questions/Question.ts"
import { holdOf, jobsOf, overlap } from "./Occurrence.ts"

/**
 * Says whether nobody can have held the row of a job during a renewal of its lease. A claim locks a
 * row that it does not give out only if somebody changed it meanwhile.
 */
export const rowsOf = (
  records: ReadonlyArray<Recorded>
): ((renewal: Recorded, job: number) => boolean) => {
  const claims = records.filter(({ ask }) => ask === "claim")
  const named = new Map<number, Array<Recorded>>()
  for (const record of records) {
    for (const job of jobsOf(record)) {
      const own = named.get(job) ?? []
      own.push(record)
      named.set(job, own)
    }
  }
  return (renewal, job) => {
    const others = (named.get(job) ?? []).filter((record) => record !== renewal)
    const holds = others.flatMap((record) => holdOf(record) ?? [])
    const isHeldIn = (interval: Operation) => holds.some((hold) => overlap(hold, interval))
    return !isHeldIn(renewal) && !claims.some((one) => overlap(one, renewal) && isHeldIn(one))
  }
}
