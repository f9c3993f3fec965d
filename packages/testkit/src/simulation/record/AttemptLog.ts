/**
 * Tracks transcription attempts in the stores and engines. If another process takes over an
 * attempt, the first one died or seemed to have died. The job is then a suspect until more of its
 * pieces are stored than ever before, or until an attempt ends.
 */
import type { Actor } from "../clock/Timeline.ts"
import type { Fact } from "./Facts.ts"

/** A commit that begins or ends an attempt. */
interface Committed {
  readonly by: Actor
  /** Whether the commit begins an attempt. */
  readonly isBegun: boolean
  /** Whether the commit releases an attempt because its process is stopping. */
  readonly isGivenBack: boolean
  /** Whether the process's engine is running no other job. */
  readonly isAlone: boolean
}

/** Tracks running attempts from reported commits and engine activity. */
export interface AttemptLog {
  readonly committed: (jobId: string, commit: Committed) => void
  /** Records that a piece of a job was stored. */
  readonly progressed: (
    jobId: string,
    piece: { readonly plan: string; readonly index: number }
  ) => void
  /** Records that the engine of a process runs several jobs concurrently. */
  readonly ranTogether: (by: Actor, jobIds: Iterable<string>) => void
}

interface Try {
  readonly by: Actor
  readonly isSuspect: boolean
  isAlone: boolean
  readonly begunAt: number
}

/**
 * Time after which a worker may run other tasks with a suspect. A worker waits ten minutes, but
 * this log starts to count slightly earlier.
 */
const aloneMaxMillis = 9 * 60_000

/**
 * Creates an empty log. It adds facts about interruptions, and about suspects that run with other
 * jobs.
 */
export const make = (facts: Array<Fact>, now: () => number): AttemptLog => {
  const underway = new Map<string, Try>()
  const suspects = new Set<string>()
  /**
   * The stored pieces for each job and plan, and each job's highest number of pieces in one plan.
   */
  const ofPlan = new Map<string, Set<number>>()
  const most = new Map<string, number>()
  return {
    committed: (id, { by, isAlone, isBegun, isGivenBack }) => {
      const last = underway.get(id)
      if (last !== undefined && last.by !== by) {
        facts.push({ _tag: "Interrupted", id, wasAlone: last.isAlone })
        suspects.add(id)
      } else if (!isBegun && !isGivenBack) suspects.delete(id)
      underway.delete(id)
      if (!isBegun) return
      underway.set(id, { by, isAlone, isSuspect: suspects.has(id), begunAt: now() })
    },
    progressed: (id, { index, plan }) => {
      const pieces = ofPlan.get(`${id} ${plan}`) ?? new Set()
      ofPlan.set(`${id} ${plan}`, pieces.add(index))
      if (pieces.size <= (most.get(id) ?? 0)) return
      most.set(id, pieces.size)
      suspects.delete(id)
    },
    ranTogether: (by, ids) => {
      for (const id of ids) {
        const heard = underway.get(id)
        if (heard?.by !== by || now() - heard.begunAt > aloneMaxMillis) continue
        heard.isAlone = false
        if (heard.isSuspect) facts.push({ _tag: "SuspectNextToOthers", id, by: by.name })
      }
    }
  }
}
