/**
 * Follows transcription attempts, as stores see them begin and end and engines run them. When
 * another process takes one over, its own process died or seemed dead; from then on the job is a
 * suspect, until an attempt ends another way.
 */
import type { Actor } from "../clock/Timeline.ts"
import type { Fact } from "./Facts.ts"

/** A commit about an attempt. */
interface Committed {
  readonly by: Actor
  /** Whether the commit begins an attempt. */
  readonly isBegun: boolean
  /** Whether the commit returns an attempt because its process stops. */
  readonly isGivenBack: boolean
  /** Whether the engine of the process runs nothing else. */
  readonly isAlone: boolean
}

/** The running attempts. */
export interface AttemptLog {
  readonly committed: (jobId: string, commit: Committed) => void
  /** Records that the engine of a process runs several jobs at once. */
  readonly ranTogether: (by: Actor, jobIds: Iterable<string>) => void
}

interface Try {
  readonly by: Actor
  readonly isSuspect: boolean
  isAlone: boolean
  readonly begunAt: number
}

/**
 * A worker starts other tasks next to a suspect after ten minutes; this counts from slightly
 * earlier.
 */
const aloneMaxMillis = 9 * 60_000

/** Makes an empty log. It adds interruptions, and suspects that run with others, to the facts. */
export const make = (facts: Array<Fact>, now: () => number): AttemptLog => {
  const underway = new Map<string, Try>()
  const suspects = new Set<string>()
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
