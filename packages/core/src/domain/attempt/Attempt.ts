/**
 * Counting attempts. An attempt counts from the commit that begins it, before any work is done, so
 * that a crash can never win a free one. Outages and dead processes are counted separately and
 * spend no attempt.
 */
import { type DateTime, Schema } from "effect"
import { Failure } from "./Failure.ts"

const instant = Schema.DateTimeUtcFromMillis

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** How many attempts were spent so far. */
export const AttemptsSpent = Count

/** Ordinal of the attempt under way; the first is 1. */
export const AttemptNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** What went wrong with a piece of work without costing it an attempt. */
export const Setbacks = Schema.Struct({
  /** How many times in a row something that the work needs was out of reach. */
  outages: Count,
  /** How many processes died while they did this work and nothing else. */
  deaths: Count,
  /** Whether its process died while doing it. Until an attempt ends otherwise, it runs alone. */
  isSuspect: Schema.Boolean
})
export type Setbacks = typeof Setbacks.Type

/** The field of a state; left out while there are no setbacks. */
export const setbacks = { setbacks: Schema.optionalKey(Setbacks) }

/** The fields of a state in which the work waits for an attempt. */
export const waiting = { attempts: AttemptsSpent, dueAt: instant, ...setbacks }

/** The fields of a state in which an attempt is under way. */
export const underWay = { attempt: AttemptNumber, startedAt: instant, ...setbacks }

/** What can happen to an attempt that one process makes, whatever it is made for. */
export const events = {
  AttemptStarted: { at: instant },
  /** The attempt goes back unspent: its worker was asked to stop. */
  AttemptReleased: { at: instant },
  /** The attempt goes back unspent: something that it needs is out of reach. */
  AttemptPostponed: { at: instant, dueAt: instant, failure: Failure },
  /** The attempt goes back unspent: its process died. The next one runs alone. */
  AttemptLost: { at: instant, dueAt: instant },
  RetryScheduled: { at: instant, dueAt: instant, failure: Failure },
  GivenUp: { at: instant, failure: Failure }
}

/** A state that may have had setbacks. */
interface Tried {
  readonly setbacks?: Setbacks
}

/** Work without setbacks. */
export const noSetbacks: Setbacks = { outages: 0, deaths: 0, isSuspect: false }

/** The setbacks of a state, carried over to the next one. */
export const carrySetbacks = ({ setbacks }: Tried): Tried =>
  setbacks === undefined ? {} : { setbacks }

/**
 * One more outage. The work need not run alone any more, because its process lives; but deaths stay
 * counted, because the work may have ended before it reached what kills its process.
 */
export const afterOutage = ({ setbacks = noSetbacks }: Tried): Required<Tried> => ({
  setbacks: { ...setbacks, outages: setbacks.outages + 1, isSuspect: false }
})

/**
 * One more death of the process. It counts only when nothing else could have been the reason. A
 * process that the store hears nothing of until another one takes its work looks dead, and counts
 * as dead.
 */
export const afterDeath = ({ setbacks = noSetbacks }: Tried): Required<Tried> => ({
  setbacks: {
    outages: setbacks.outages,
    deaths: setbacks.deaths + (setbacks.isSuspect ? 1 : 0),
    isSuspect: true
  }
})

/** What a state knows of its attempts in which the work waits for the next one. */
export interface Waiting extends Tried {
  readonly attempts: number
  readonly dueAt: DateTime.Utc
}

interface UnderWay extends Tried {
  readonly attempt: number
}

/** The next attempt begins. */
export const begin = (state: Omit<Waiting, "dueAt">, startedAt: DateTime.Utc) => ({
  attempt: state.attempts + 1,
  startedAt,
  ...carrySetbacks(state)
})

/** An attempt goes back unspent, because its worker was asked to stop. */
export const release = (state: UnderWay, dueAt: DateTime.Utc): Waiting => ({
  attempts: state.attempt - 1,
  dueAt,
  ...carrySetbacks(state)
})

/** An attempt goes back unspent, because something was out of reach. */
export const postpone = (state: UnderWay, dueAt: DateTime.Utc): Waiting => ({
  ...release(state, dueAt),
  ...afterOutage(state)
})

/** An attempt goes back unspent, because its process died. */
export const lose = (state: UnderWay, dueAt: DateTime.Utc): Waiting => ({
  ...release(state, dueAt),
  ...afterDeath(state)
})

/** Whether the work runs alone. */
export const isSuspect = ({ setbacks = noSetbacks }: Tried): boolean => setbacks.isSuspect

/** A UUID, version 7: jobs sort by the instant they were accepted. */
export const JobId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type
