/**
 * Models one job in a sequential store that keeps the ports' guarantees. Core's pure machine
 * applies the events.
 */

import { applyCommit, type Job, type JobEvent, pendingWork } from "@verbatim/core/job"
import { leaseDuration } from "@verbatim/core/ports"
import { DateTime, Duration, Option, Result } from "effect"
import { digestOf, digestOnce } from "../../model/Digest.ts"
import type { Model } from "../../model/Linear.ts"
import type { LeaseOf, Recorded, RecordOf } from "../calls/CallRecord.ts"
import { eventOf, instantOf, jobFrom } from "../calls/JobSpec.ts"
import type { Occurrence } from "./Occurrence.ts"

/** Everything that a store keeps for a job. */
export interface JobState {
  /** The job, or null before it is inserted and after it is deleted. */
  readonly job: Job | null
  /** The history, as the port returns it. */
  readonly history: ReadonlyArray<string>
  readonly lease: number | null
  /** Whether the lease was forced to expire, even if no other claim has taken the work. */
  readonly isLapsed: boolean
  /** Until this time on the records' clock, no other caller can claim the work. */
  readonly heldUntil: number
  readonly transcript: number | null
  /** The charge, which outlives the job. */
  readonly charged: number | null
}

/** A call about one job. A record about several jobs becomes one operation per job. */
export interface JobOperation extends Occurrence {
  readonly record: Recorded
  readonly job: number
  /** For a ledger read: the charges that the ledger shows for the job. */
  readonly charges?: ReadonlyArray<number>
  /** Whether successive claims took all due work except this job. */
  readonly isPassedOver?: boolean
  /** For a renewal answered with `busy`: whether the job's row was unlocked. */
  readonly isRowFree?: boolean
}

const absentJob = { job: null, history: [], lease: null, isLapsed: false, heldUntil: 0 }

const leaseMillis = Duration.toMillis(leaseDuration)

/** A time in milliseconds after all events, except attempts that are scheduled years ahead. */
const farthest = 1_000_000_000

/** Milliseconds by which a store's clock can gain on the records' clock during one lease. */
const driftMillis = 1_000

/** Formats a commit like a line of the recorded history. */
export const entryOf = (entry: {
  readonly revision: number
  readonly atMillis: number
  readonly token: number | null
  readonly events: ReadonlyArray<JobEvent>
}): string => `${entry.revision} ${entry.atMillis} ${entry.token} ${digestOf(entry.events)}`

const sees = (state: JobState, sight: { readonly digest: string } | null): boolean =>
  sight === null ? state.job === null : state.job !== null && digestOnce(state.job) === sight.digest

const keep = (state: JobState, isRight: boolean): JobState | undefined =>
  isRight ? state : undefined

const insert = (state: JobState, { job, outcome, input }: Step<"insert">) => {
  // The job's key already had a record, so nothing was written.
  if (outcome.is === "answered" && outcome.answer !== null) return state
  if (outcome.is === "refused") return keep(state, state.job !== null)
  if (state.job !== null) return undefined
  const made = jobFrom(job, input.shape)
  const first = { revision: 1, atMillis: DateTime.toEpochMillis(made.acceptedAt), token: null }
  return {
    ...absentJob,
    ...afterCharge(state),
    job: made,
    history: [entryOf({ ...first, events: [] })]
  }
}

/** Returns the state that remains after a job's deletion. */
const afterCharge = ({ charged }: JobState) => ({ charged, transcript: null })

const commit = (state: JobState, { outcome, input, record }: Step<"commit">) => {
  const { chargeMillis, spec, isLeaseKept, revision, token, transcript } = input
  const isFenced = state.job?.revision !== revision - 1 || (token !== null && state.lease !== token)
  if (outcome.is === "refused") return keep(state, isFenced)
  if (isFenced || state.job === null) return undefined
  const event = eventOf(state.job, spec)
  const next = Result.getOrUndefined(applyCommit(state.job, [event]))
  if (next === undefined) return undefined
  const atMillis = DateTime.toEpochMillis(instantOf(record.id))
  const isHeld = isLeaseKept && Option.isSome(pendingWork(next))
  return {
    job: next,
    history: [...state.history, entryOf({ revision, atMillis, token, events: [event] })],
    lease: isHeld ? state.lease : null,
    isLapsed: isHeld && state.isLapsed,
    heldUntil: isHeld ? state.heldUntil : 0,
    transcript: transcript ?? state.transcript,
    charged: state.charged ?? chargeMillis
  }
}

const claim = (state: JobState, { outcome, input, record, returned, ...step }: Step<"claim">) => {
  if (state.job === null) return undefined
  const work = Option.getOrUndefined(pendingWork(state.job))
  const isFree = state.lease === null || state.isLapsed || returned >= state.heldUntil
  if (!isFree || work === undefined || !input.kinds.includes(work.kind)) return undefined
  const lease = { lease: input.token, isLapsed: false }
  const heldUntil = record.invoked + leaseMillis - driftMillis
  if (outcome.is !== "answered") {
    return hasWorkNow(state) ? { ...state, ...lease, heldUntil } : undefined
  }
  const { jobs, nowMillis } = outcome.answer
  const sight = jobs.find(({ job }) => job === step.job)
  const isDue = DateTime.toEpochMillis(work.dueAt) <= nowMillis
  return isDue && sight !== undefined && sees(state, sight)
    ? { ...state, ...lease, heldUntil }
    : undefined
}

const hasWorkNow = ({ job }: JobState): boolean =>
  job !== null &&
  Option.exists(pendingWork(job), ({ dueAt }) =>
    DateTime.isLessThanOrEqualTo(dueAt, instantOf(farthest))
  )

const tokensOf = (leases: ReadonlyArray<LeaseOf>, job: number): ReadonlyArray<number> =>
  leases.flatMap((lease) => (lease.job === job ? [lease.token] : []))

const isHolder = ({ lease }: JobState, tokens: ReadonlyArray<number>): boolean =>
  lease !== null && tokens.includes(lease)

/** Whether a renewal's answer says that the job's row was locked. */
export const isAnsweredBusy = ({ call, outcome }: Recorded, job: number): boolean =>
  call === "renew" && outcome.is === "answered" && outcome.answer.busy.includes(job)

const renew = (
  state: JobState,
  { isRowFree, job, outcome, input, record }: Step<"renew">
): JobState | undefined => {
  const isHeld = isHolder(state, tokensOf(input.leases, job))
  if (isAnsweredBusy(record, job)) return keep(state, isHeld && isRowFree !== true)
  if (outcome.is === "answered") {
    if (outcome.answer.extended.includes(job) !== isHeld) return undefined
  }
  if (!isHeld) return state
  return { ...state, isLapsed: false, heldUntil: record.invoked + leaseMillis - driftMillis }
}

const release = (state: JobState, { job, input }: Step<"release">): JobState =>
  isHolder(state, tokensOf(input.leases, job))
    ? { ...state, lease: null, isLapsed: false, heldUntil: 0 }
    : state

const remove = (state: JobState, { outcome }: Step<"remove">): JobState | undefined => {
  if (outcome.is === "answered" && !sees(state, outcome.answer)) return undefined
  return { ...state, ...absentJob, ...afterCharge(state) }
}

/**
 * An operation with its record's fields. The operation states the time, because a call with a lost
 * response may run after its caller has left.
 */
type Step<A extends Recorded["call"]> = JobOperation & RecordOf<A>

const step = (state: JobState, operation: JobOperation): JobState | undefined => {
  const { record } = operation
  if (operation.isPassedOver) return keep(state, !hasWorkNow(state))
  switch (record.call) {
    case "insert":
      return insert(state, { ...record, ...operation })
    case "commit":
      return commit(state, { ...record, ...operation })
    case "claim":
      return claim(state, { ...record, ...operation })
    case "renew":
      return renew(state, { ...record, ...operation })
    case "release":
      return release(state, { ...record, ...operation })
    case "remove":
      return remove(state, { ...record, ...operation })
    case "lapse":
      return { ...state, isLapsed: state.lease !== null }
    default:
      return look(state, operation)
  }
}

/** Checks the answer to a call that changes nothing. */
const look = (state: JobState, { charges, record }: JobOperation): JobState | undefined => {
  if (record.outcome.is !== "answered") return state
  switch (record.call) {
    case "find":
      return keep(state, sees(state, record.outcome.answer))
    case "history":
      return keep(state, record.outcome.answer.join() === state.history.join())
    case "transcript":
      return keep(state, record.outcome.answer === state.transcript)
    case "ledger":
      return keep(state, charges?.join() === (state.charged === null ? "" : `${state.charged}`))
    default:
      return state
  }
}

/**
 * Whether an operation changes nothing. A renewal that was answered changes nothing unless it
 * extended the job's lease.
 */
const isRead = ({ isPassedOver, job, record }: JobOperation): boolean => {
  const { call, outcome } = record
  if (isPassedOver) return true
  switch (call) {
    case "insert":
      return outcome.is === "refused" || (outcome.is === "answered" && outcome.answer !== null)
    case "commit":
      return outcome.is === "refused"
    case "renew":
      return outcome.is === "answered" && !outcome.answer.extended.includes(job)
    default:
      return call === "find" || call === "history" || call === "transcript" || call === "ledger"
  }
}

/** The model of a job that has not been inserted yet. */
export const jobModel: Model<JobState, JobOperation> = {
  initial: { ...absentJob, transcript: null, charged: null },
  step,
  isRead,
  key: ({ charged, heldUntil, history, isLapsed, job, lease, transcript }) =>
    [job === null, history.at(-1), lease, isLapsed, heldUntil, transcript, charged].join()
}
