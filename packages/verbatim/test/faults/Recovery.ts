/**
 * How long work waited whose worker was killed: from the kill to the next claim of the same job. A
 * claim is told by the process that made it, because one that dies right after it writes nothing.
 * Work that was lost before runs alone: it waits for its turn as well, and is counted apart.
 */
import type { History } from "./Audit.ts"

/** A claim, at the store's own time. */
export interface Claim {
  readonly pid: number
  readonly jobId: string
  readonly at: number
  /** Whether the process gave it back, so that nobody held it any more. */
  readonly isGivenBack?: boolean
}

/** What a process says of a claim. */
export const claimLine = ({ at, jobId }: Pick<Claim, "at" | "jobId">): string =>
  `claimed ${jobId} ${at}`

/** What it says of a claim that it gave back: whoever is killed later did not hold it. */
export const releaseLine = (jobId: string): string => `gave back ${jobId}`

/** Of whose claim a process says that it gave it back. */
export const readRelease = (line: string): string | undefined => /^gave back (\S+)$/.exec(line)?.[1]

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

/** Whether the work runs alone, because a process died with it before. */
const isSuspect = ({ events }: History, { at }: Claim): boolean =>
  events.some((event) => event.event === "attempt_lost" && Date.parse(event.at) <= at)

/** From a kill to the next claim of a piece of work that the victim held. */
export interface Recovery {
  readonly millis: number
  /** Whether the work had to wait for its turn to run alone. */
  readonly isSuspect: boolean
}

/** Every piece of work that a victim held, and what became of it. */
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
): ReadonlyArray<Recovery> => {
  const byJob = Map.groupBy(claims, ({ jobId }) => jobId)
  return histories.flatMap((history) => {
    const ofJob = (byJob.get(history.id) ?? []).toSorted((a, b) => a.at - b.at)
    return ofJob.flatMap((claim, index) => {
      const next = ofJob[index + 1]
      const killed = killedAt.get(claim.pid)
      if (next === undefined || killed === undefined || killed > next.at) return []
      if (claim.isGivenBack === true) return []
      return wasHeld(history, claim, next)
        ? [{ millis: next.at - killed, isSuspect: isSuspect(history, claim) }]
        : []
    })
  })
}
