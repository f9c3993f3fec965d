/**
 * Attempts at transcripts as the stores see them begin and end, and engines hear them. One that
 * another process takes over was not ended by its own, which died or looked dead. From then on it
 * is a suspect, until an attempt ends otherwise.
 */
import type { Actor } from "../clock/Timeline.ts"
import type { Fact } from "./Facts.ts"

/** What a process wrote about an attempt. */
interface Committed {
  readonly by: Actor
  /** Whether an attempt is under way from now on. */
  readonly isBegun: boolean
  /** Whether an attempt was given back, because its process stops. */
  readonly isGivenBack: boolean
  /** Whether the engine of the process works on nothing else. */
  readonly isAlone: boolean
}

/** The attempts under way. */
export interface AttemptLog {
  readonly committed: (jobId: string, commit: Committed) => void
  /** The engine of a process works on several jobs at once. */
  readonly heardTogether: (by: Actor, jobIds: Iterable<string>) => void
}

interface Try {
  readonly by: Actor
  readonly isSuspect: boolean
  isAlone: boolean
  readonly begunAt: number
}

/** A worker lets others begin beside a suspect after ten minutes, counted from a little earlier. */
const aloneMaxMillis = 9 * 60_000

/** Nothing has begun. Interruptions, and suspects beside others, are added to the facts. */
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
    heardTogether: (by, ids) => {
      for (const id of ids) {
        const heard = underway.get(id)
        if (heard?.by !== by || now() - heard.begunAt > aloneMaxMillis) continue
        heard.isAlone = false
        if (heard.isSuspect) facts.push({ _tag: "SuspectBesideOthers", id, by: by.name })
      }
    }
  }
}
