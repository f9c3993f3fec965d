/**
 * How long work waited whose worker was killed: from the kill to the next claim of the same job. A
 * claim is told by the process that made it, because one that dies right after it writes nothing.
 */
import type { History } from "./Audit.ts"

/** A claim, at the store's own time. */
export interface Claim {
  readonly pid: number
  readonly jobId: string
  readonly at: number
}

/** What a process says of a claim. */
export const claimLine = ({ at, jobId }: Omit<Claim, "pid">): string => `claimed ${jobId} ${at}`

/** Reads what a process said. */
export const readClaim = (line: string, pid: number): Claim | undefined => {
  const [, jobId = "", at] = /^claimed (\S+) (\d+)$/.exec(line) ?? []
  return at === undefined ? undefined : { pid, jobId, at: Number(at) }
}

/** Whether work claimed at one instant was still held when it was claimed again. */
const wasHeld = ({ events }: History, { at }: Claim, next: Claim): boolean => {
  const between = events.filter((event) => {
    const happenedAt = Date.parse(event.at)
    return happenedAt >= at && happenedAt < next.at
  })
  return between.every(({ event }) => event === "attempt_started")
}

/** Milliseconds from each kill to the next claim of each piece of work that the victim held. */
export const recoveries = (
  histories: ReadonlyArray<History>,
  {
    claims,
    killedAt
  }: {
    readonly claims: ReadonlyArray<Claim>
    /** By the id of the process. */
    readonly killedAt: ReadonlyMap<number, number>
  }
): ReadonlyArray<number> => {
  const byJob = Map.groupBy(claims, ({ jobId }) => jobId)
  return histories.flatMap((history) => {
    const ofJob = (byJob.get(history.id) ?? []).toSorted((a, b) => a.at - b.at)
    return ofJob.flatMap((claim, index) => {
      const next = ofJob[index + 1]
      const killed = killedAt.get(claim.pid)
      if (next === undefined || killed === undefined || killed > next.at) return []
      return wasHeld(history, claim, next) ? [next.at - killed] : []
    })
  })
}
