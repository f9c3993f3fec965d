/**
 * How long work waited whose worker was killed: from the kill to the next lease of the same job. A
 * claim is told by the process that made it, the leases are what the database noted: whoever dies
 * in the middle of a claim has told nothing, and has leased all the same. What was due before has
 * the earlier turn, so the time counts from the last such lease. Work that was lost before runs
 * alone: it waits for its turn as well, and is counted apart.
 */
import type { History } from "./Audit.ts"
import type { LeaseNote } from "./Leases.ts"

/** A claim that its process reported. */
export interface Claim {
  readonly pid: number
  readonly jobId: string
  readonly token: string
  /** Whether the process gave it back, so that nobody held it any more. */
  readonly isGivenBack?: boolean
}

/** What a process says about a claim. */
export const claimLine = ({ jobId, token }: Pick<Claim, "jobId" | "token">): string =>
  `claimed ${jobId} ${token}`

/** What it says about a claim that it gave back: a process killed later did not hold it. */
export const releaseLine = (jobId: string): string => `gave back ${jobId}`

/** Of whose claim a process says that it gave it back. */
export const readRelease = (line: string): string | undefined => /^gave back (\S+)$/.exec(line)?.[1]

/** Reads what a process said. */
export const readClaim = (line: string, pid: number): Claim | undefined => {
  const [, jobId, token] = /^claimed (\S+) (\S+)$/.exec(line) ?? []
  return jobId === undefined || token === undefined ? undefined : { pid, jobId, token }
}

/** Whether work leased at one instant was still held when it was leased again. */
const wasHeld = ({ events }: History, { at }: LeaseNote, next: LeaseNote): boolean => {
  const between = events.filter((event) => {
    const happenedAt = Date.parse(event.at)
    return happenedAt >= at && happenedAt < next.at
  })
  return between.every(({ event }) => event === "attempt_started")
}

/** Whether the work runs alone, because a process died with it before. */
const isSuspect = ({ events }: History, { at }: LeaseNote): boolean =>
  events.some((event) => event.event === "attempt_lost" && Date.parse(event.at) <= at)

/** When the last work of its kind that was due before it was leased; 0 when there was none. */
const behind = (leases: ReadonlyArray<LeaseNote>, next: LeaseNote): number =>
  leases.findLast(({ at, dueAt, kind }) => at < next.at && kind === next.kind && dueAt < next.dueAt)
    ?.at ?? 0

/** From a kill to the next lease of a piece of work that the victim held. */
export interface Recovery {
  readonly millis: number
  /** Without the time in which work that was due before it had its turn. */
  readonly firstMillis: number
  /** Whether the work had to wait for its turn to run alone. */
  readonly isSuspect: boolean
}

/** Every piece of work that a victim held, and what became of it. */
export const recoveries = (
  histories: ReadonlyArray<History>,
  {
    claims,
    killedAt,
    leases
  }: {
    readonly claims: ReadonlyArray<Claim>
    /** By the id of the process. */
    readonly killedAt: ReadonlyMap<number, number>
    readonly leases: ReadonlyArray<LeaseNote>
  }
): ReadonlyArray<Recovery> => {
  const claimed = new Map(claims.map((claim) => [`${claim.jobId} ${claim.token}`, claim]))
  const byJob = Map.groupBy(leases, ({ jobId }) => jobId)
  return histories.flatMap((history) => {
    const ofJob = byJob.get(history.id) ?? []
    return ofJob.flatMap((lease, index) => {
      const next = ofJob[index + 1]
      const claim = claimed.get(`${lease.jobId} ${lease.token}`)
      const killed = claim && killedAt.get(claim.pid)
      if (next === undefined || killed === undefined || killed > next.at) return []
      if (claim?.isGivenBack === true) return []
      return wasHeld(history, lease, next)
        ? [
            {
              millis: next.at - killed,
              firstMillis: next.at - Math.max(killed, behind(leases, next)),
              isSuspect: isSuspect(history, lease)
            }
          ]
        : []
    })
  })
}
