/**
 * Counts attempts. An attempt is counted in the commit that begins it, before any work is done, so
 * that an attempt counts even if the process crashes. Outages and deaths are counted separately and
 * do not use up an attempt.
 */
import { type DateTime, Schema } from "effect"
import { Failure } from "./Failure.ts"

const instant = Schema.DateTimeUtcFromMillis

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const AttemptsSpent = Count

/** Number of the running attempt; the first is 1. */
export const AttemptNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** The setbacks of a task: problems that did not use up an attempt. */
export const Setbacks = Schema.Struct({
  /** Number of consecutive outages of the task's dependencies. */
  outages: Count,
  /** Number of processes that died while running only this task. */
  deaths: Count,
  /**
   * Whether a process died while running the task. A suspect task runs alone until it makes
   * progress, or until the process running it survives an attempt.
   */
  isSuspect: Schema.Boolean
})
export type Setbacks = typeof Setbacks.Type

/** The `setbacks` field of a state, which is missing if there are none. */
const setbacksField = { setbacks: Schema.optionalKey(Setbacks) }

/** The fields of a waiting task's state. */
export const waitingFields = { attempts: AttemptsSpent, dueAt: instant, ...setbacksField }

/** The fields of a running task's state. */
export const runningFields = { attempt: AttemptNumber, startedAt: instant, ...setbacksField }

/** Events of an attempt, shared by all tasks. */
export const events = {
  AttemptStarted: { at: instant },
  /** The attempt ended without being counted, because its worker was stopping. */
  AttemptReleased: { at: instant },
  /** The attempt ended without being counted, because a dependency was unreachable. */
  AttemptPostponed: { at: instant, dueAt: instant, failure: Failure },
  /**
   * The attempt ended without being counted, because its process died. The next attempt runs alone.
   */
  AttemptLost: { at: instant, dueAt: instant },
  RetryScheduled: { at: instant, dueAt: instant, failure: Failure },
  GivenUp: { at: instant, failure: Failure }
}

interface Tried {
  readonly setbacks?: Setbacks
}

/** The setbacks of a new task: none. */
export const noSetbacks: Setbacks = { outages: 0, deaths: 0, isSuspect: false }

const carrySetbacks = ({ setbacks }: Tried): Tried => (setbacks === undefined ? {} : { setbacks })

/**
 * Counts one more outage. A suspect task no longer has to run alone, because the process survived
 * the attempt. The task's deaths stay counted, because the attempt may have ended before the step
 * that kills the process.
 */
const afterOutage = ({ setbacks = noSetbacks }: Tried): Required<Tried> => ({
  setbacks: { ...setbacks, outages: setbacks.outages + 1, isSuspect: false }
})

/**
 * Counts one more death if the task ran alone, because then no other task can have killed the
 * process. A process is considered dead once another process takes over its work.
 */
export const afterDeath = ({ setbacks = noSetbacks }: Tried): Required<Tried> => ({
  setbacks: {
    outages: setbacks.outages,
    deaths: setbacks.deaths + (setbacks.isSuspect ? 1 : 0),
    isSuspect: true
  }
})

/**
 * Makes the current attempt the first, without setbacks, because the task has stored more results
 * than ever before.
 */
export const afterProgress = <State extends Running>({ setbacks, ...state }: State) => ({
  ...state,
  attempt: 1
})

/** The attempts and the due time of a waiting task. */
export interface Waiting extends Tried {
  readonly attempts: number
  readonly dueAt: DateTime.Utc
}

interface Running extends Tried {
  readonly attempt: number
}

/** Begins the next attempt. */
export const begin = (state: Omit<Waiting, "dueAt">, startedAt: DateTime.Utc) => ({
  attempt: state.attempts + 1,
  startedAt,
  ...carrySetbacks(state)
})

/** Ends an attempt without counting it, because its worker is stopping. */
const release = (state: Running, dueAt: DateTime.Utc): Waiting => ({
  attempts: state.attempt - 1,
  dueAt,
  ...carrySetbacks(state)
})

/** Ends an attempt without counting it, because a dependency was unreachable. */
const postpone = (state: Running, dueAt: DateTime.Utc): Waiting => ({
  ...release(state, dueAt),
  ...afterOutage(state)
})

/** Ends an attempt without counting it, because its process died. */
const lose = (state: Running, dueAt: DateTime.Utc): Waiting => ({
  ...release(state, dueAt),
  ...afterDeath(state)
})

/** Edges for the events that end an attempt and return the task to its waiting state. */
export const edgesBackTo = <const Tag extends string>(waiting: Tag) => ({
  RetryScheduled: waiting,
  AttemptReleased: waiting,
  AttemptPostponed: waiting,
  AttemptLost: waiting
})

interface Due {
  readonly dueAt: DateTime.Utc
}

/** Builds the moves for the edges of `edgesBackTo`. `wait` builds the waiting state. */
export const movesBackTo = <State extends Running, Next>(
  wait: (state: State, fields: Waiting) => Next
) => ({
  RetryScheduled: (state: State, { dueAt }: Due) => wait(state, { attempts: state.attempt, dueAt }),
  AttemptReleased: (state: State, { at }: { readonly at: DateTime.Utc }) =>
    wait(state, release(state, at)),
  AttemptPostponed: (state: State, { dueAt }: Due) => wait(state, postpone(state, dueAt)),
  AttemptLost: (state: State, { dueAt }: Due) => wait(state, lose(state, dueAt))
})

/** Whether the task is suspect, and so runs alone. */
export const isSuspect = ({ setbacks = noSetbacks }: Tried): boolean => setbacks.isSuspect

/** The id of a job. It is a UUIDv7, so sorting jobs by id sorts them by acceptance time. */
export const JobId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type
