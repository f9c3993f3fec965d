/**
 * How long work waited whose worker was killed: from the kill to the next lease of the same job. A
 * claim is told by the process that made it, the leases are what the database noted: whoever dies
 * in the middle of a claim has told nothing, and has leased all the same. What was due before has
 * the earlier turn, so the time counts from the last such lease.
 */
import type { History } from "./Audit.ts"
import type { LeaseNote } from "./Leases.ts"
import { countLooks, type Look } from "./Looks.ts"

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

/**
 * From a kill to the instant from which a look must find the work: a lease of 30 s, and a second
 * for a renewal that was on its way. Not what core says a lease is: G2 promises 31 seconds.
 */
const lapseMillis = 31_000

/** What the events of each kind of work are about. */
const aboutOf: Readonly<Record<string, string>> = {
  Fetch: "transcription",
  Transcribe: "transcription",
  Summarize: "summary",
  Deliver: "webhook"
}

/**
 * Whether work leased at one instant was still held when it was leased again. Events may be dated a
 * little late: the end of one stage may stand behind the lease of the next.
 */
const wasHeld = ({ events }: History, { at, kind }: LeaseNote, next: LeaseNote): boolean => {
  const between = events.filter((event) => {
    const happenedAt = Date.parse(event.at)
    const isOwn = aboutOf[kind] === undefined || event.about === aboutOf[kind]
    return isOwn && happenedAt >= at && happenedAt < next.at
  })
  return between.every(({ event }) => event === "attempt_started")
}

/**
 * When the last work of its kind that was due before it was leased; 0 when there was none. Work
 * that the same claim leased waited as long as this one, so it does not count; nor does what was
 * given back, which may be leased for ever.
 */
const behind = (
  leases: ReadonlyArray<LeaseNote>,
  next: LeaseNote,
  isGivenBack: (lease: LeaseNote) => boolean
): number =>
  leases.findLast(
    (lease) =>
      lease.at < next.at &&
      lease.kind === next.kind &&
      lease.dueAt < next.dueAt &&
      lease.token !== next.token &&
      !isGivenBack(lease)
  )?.at ?? 0

/** From a kill to the next lease of a piece of work that the victim held. */
export interface Recovery {
  /** The id of the process that was killed. */
  readonly victim: number
  readonly kind: string
  readonly millis: number
  /** Without the time in which work that was due before it had its turn. */
  readonly firstMillis: number
  /** Looks that had room for it and passed it over, although it was lapsed and first in line. */
  readonly passes: number
}

/** What is known when a run is over. */
export interface Traces {
  readonly claims: ReadonlyArray<Claim>
  /** By the id of the process. */
  readonly killedAt: ReadonlyMap<number, number>
  /** In the order in which they were given. */
  readonly leases: ReadonlyArray<LeaseNote>
  readonly looks: ReadonlyArray<Look>
}

/** Every piece of work that a victim held, and what became of it. */
export const recoveries = (
  histories: ReadonlyArray<History>,
  { claims, killedAt, leases, looks }: Traces
): ReadonlyArray<Recovery> => {
  const claimed = new Map(claims.map((claim) => [`${claim.jobId} ${claim.token}`, claim]))
  const claimOf = ({ jobId, token }: LeaseNote) => claimed.get(`${jobId} ${token}`)
  const isGivenBack = (lease: LeaseNote) => claimOf(lease)?.isGivenBack === true
  const byJob = Map.groupBy(leases, ({ jobId }) => jobId)
  const recoveryOf = (
    { pid: victim }: Claim,
    { killed, next }: { readonly killed: number; readonly next: LeaseNote }
  ): Recovery => {
    const { at: before, kind } = next
    const turn = behind(leases, next, isGivenBack)
    return {
      victim,
      kind,
      millis: before - killed,
      firstMillis: before - Math.max(killed, turn),
      passes: countLooks(looks, { kind, after: Math.max(killed + lapseMillis, turn), before })
    }
  }
  return histories.flatMap((history) => {
    const ofJob = byJob.get(history.id) ?? []
    return ofJob.flatMap((lease, index) => {
      const next = ofJob[index + 1]
      const claim = claimOf(lease)
      if (next === undefined || claim === undefined || isGivenBack(lease)) return []
      const killed = killedAt.get(claim.pid)
      if (killed === undefined || killed > next.at) return []
      return wasHeld(history, lease, next) ? [recoveryOf(claim, { killed, next })] : []
    })
  })
}
