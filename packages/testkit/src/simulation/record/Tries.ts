/**
 * Attempts at transcripts as the stores see them begin and end. One that another process takes over
 * was not ended by its own, which died or looked dead.
 */
import type { Actor } from "../clock/Timeline.ts"
import type { Fact } from "./Facts.ts"

/** What a process wrote about an attempt. */
interface Committed {
  readonly by: Actor
  /** Whether an attempt is under way from now on. */
  readonly isBegun: boolean
  /** Whether the engine of the process works on nothing else. */
  readonly isAlone: boolean
}

/** The attempts under way. */
export interface Tries {
  readonly committed: (jobId: string, commit: Committed) => void
}

/** Nothing has begun. Interruptions are added to the facts. */
export const make = (facts: Array<Fact>): Tries => {
  const underway = new Map<string, Committed>()
  return {
    committed: (id, commit) => {
      const last = underway.get(id)
      if (last !== undefined && last.by !== commit.by) {
        facts.push({ _tag: "Interrupted", id, wasAlone: last.isAlone })
      }
      if (commit.isBegun) underway.set(id, commit)
      else underway.delete(id)
    }
  }
}
