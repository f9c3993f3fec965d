/**
 * One job in a store that does one thing after another: what the ports promise about it, with the
 * meaning of every event taken from the pure machine in core.
 */

import { applyCommit, type Job, type JobEvent, owedWork } from "@verbatim/core/job"
import { leaseDuration } from "@verbatim/core/ports"
import { DateTime, Duration, Option, Result } from "effect"
import { digestOf, digestOnce } from "../../model/Digest.ts"
import type { Model } from "../../model/Linear.ts"
import { eventOf, instantOf } from "../questions/EventSpec.ts"
import { jobFrom } from "../questions/JobShape.ts"
import type { LeaseOf, Recorded, RecordOf } from "../questions/Question.ts"
import type { Occurrence } from "./Occurrence.ts"

/** All that a store keeps about a job. */
export interface JobState {
  /** None before it is made and after it is deleted. */
  readonly job: Job | null
  /** As `history` tells it. */
  readonly history: ReadonlyArray<string>
  readonly lease: number | null
  /** Whether somebody made the lease lapse. Nobody need have taken the work since. */
  readonly isLapsed: boolean
  /** Until then nobody else may have the work, on the clock of the records. */
  readonly heldUntil: number
  readonly transcript: number | null
  /** Stays when the job is deleted. */
  readonly charged: number | null
}

/** A question about one job; a record about several is one operation on each. */
export interface JobOperation extends Occurrence {
  readonly record: Recorded
  readonly job: number
  /** When the ledger was read: the charge for the job that it shows. */
  readonly charges?: ReadonlyArray<number>
  /** Whether everything that was due was claimed, one after the other, and this job was not. */
  readonly isPassedOver?: boolean
  /** For a renewal that was answered `busy`: whether nobody held the row of the job. */
  readonly isRowFree?: boolean
}

const absentJob = { job: null, history: [], lease: null, isLapsed: false, heldUntil: 0 }

const leaseMillis = Duration.toMillis(leaseDuration)

/** After the instant of every deed and before those that are years off, in milliseconds. */
const farthest = 1_000_000_000

/** How far the clock of a store may run ahead of that of the records within one lease. */
const driftMillis = 1_000

/** A commit in the history, as `history` tells it. */
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

const insert = (state: JobState, { job, outcome, question }: Step<"insert">) => {
  // An earlier record under its key, and nothing was written.
  if (outcome.is === "answered" && outcome.answer !== null) return state
  if (outcome.is === "refused") return keep(state, state.job !== null)
  if (state.job !== null) return undefined
  const made = jobFrom(job, question.shape)
  const first = { revision: 1, atMillis: DateTime.toEpochMillis(made.acceptedAt), token: null }
  return {
    ...absentJob,
    ...afterCharge(state),
    job: made,
    history: [entryOf({ ...first, events: [] })]
  }
}

/** What outlives a job. */
const afterCharge = ({ charged }: JobState) => ({ charged, transcript: null })

const commit = (state: JobState, { outcome, question, record }: Step<"commit">) => {
  const { chargeMillis, spec, isLeaseKept, revision, token, transcript } = question
  const isFenced = state.job?.revision !== revision - 1 || (token !== null && state.lease !== token)
  if (outcome.is === "refused") return keep(state, isFenced)
  if (isFenced || state.job === null) return undefined
  const event = eventOf(state.job, spec)
  const next = Result.getOrUndefined(applyCommit(state.job, [event]))
  if (next === undefined) return undefined
  const atMillis = DateTime.toEpochMillis(instantOf(record.id))
  const isHeld = isLeaseKept && Option.isSome(owedWork(next))
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

const claim = (
  state: JobState,
  { outcome, question, record, returned, ...step }: Step<"claim">
) => {
  if (state.job === null) return undefined
  const work = Option.getOrUndefined(owedWork(state.job))
  const isFree = state.lease === null || state.isLapsed || returned >= state.heldUntil
  if (!isFree || work === undefined || !question.kinds.includes(work.kind)) return undefined
  const lease = { lease: question.token, isLapsed: false }
  const heldUntil = record.invoked + leaseMillis - driftMillis
  if (outcome.is !== "answered") {
    return owesNow(state) ? { ...state, ...lease, heldUntil } : undefined
  }
  const { jobs, nowMillis } = outcome.answer
  const sight = jobs.find(({ job }) => job === step.job)
  const isDue = DateTime.toEpochMillis(work.dueAt) <= nowMillis
  return isDue && sight !== undefined && sees(state, sight)
    ? { ...state, ...lease, heldUntil }
    : undefined
}

const owesNow = ({ job }: JobState): boolean =>
  job !== null &&
  Option.exists(owedWork(job), ({ dueAt }) =>
    DateTime.isLessThanOrEqualTo(dueAt, instantOf(farthest))
  )

const tokensOf = (leases: ReadonlyArray<LeaseOf>, job: number): ReadonlyArray<number> =>
  leases.flatMap((lease) => (lease.job === job ? [lease.token] : []))

const isHolder = ({ lease }: JobState, tokens: ReadonlyArray<number>): boolean =>
  lease !== null && tokens.includes(lease)

/** Whether a renewal was answered that somebody held the row of the job. */
export const saysBusy = ({ ask, outcome }: Recorded, job: number): boolean =>
  ask === "renew" && outcome.is === "answered" && outcome.answer.busy.includes(job)

const renew = (
  state: JobState,
  { isRowFree, job, outcome, question, record }: Step<"renew">
): JobState | undefined => {
  const isHeld = isHolder(state, tokensOf(question.leases, job))
  if (saysBusy(record, job)) return keep(state, isHeld && isRowFree !== true)
  if (outcome.is === "answered") {
    if (outcome.answer.extended.includes(job) !== isHeld) return undefined
  }
  if (!isHeld) return state
  return { ...state, isLapsed: false, heldUntil: record.invoked + leaseMillis - driftMillis }
}

const release = (state: JobState, { job, question }: Step<"release">): JobState =>
  isHolder(state, tokensOf(question.leases, job))
    ? { ...state, lease: null, isLapsed: false, heldUntil: 0 }
    : state

const remove = (state: JobState, { outcome }: Step<"remove">): JobState | undefined => {
  if (outcome.is === "answered" && !sees(state, outcome.answer)) return undefined
  return { ...state, ...absentJob, ...afterCharge(state) }
}

/**
 * The operation with the fields of its record. When it happened is told by the operation: one whose
 * answer was lost may have come after its caller left.
 */
type Step<A extends Recorded["ask"]> = JobOperation & RecordOf<A>

const step = (state: JobState, operation: JobOperation): JobState | undefined => {
  const { record } = operation
  if (operation.isPassedOver) return keep(state, !owesNow(state))
  switch (record.ask) {
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

/** Questions that change nothing. */
const look = (state: JobState, { charges, record }: JobOperation): JobState | undefined => {
  if (record.outcome.is !== "answered") return state
  switch (record.ask) {
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

/** For an answered renewal: whoever was told that the lease is no longer held, held none. */
const isLook = ({ isPassedOver, job, record }: JobOperation): boolean => {
  const { ask, outcome } = record
  if (isPassedOver) return true
  switch (ask) {
    case "insert":
      return outcome.is === "refused" || (outcome.is === "answered" && outcome.answer !== null)
    case "commit":
      return outcome.is === "refused"
    case "renew":
      return outcome.is === "answered" && !outcome.answer.extended.includes(job)
    default:
      return ask === "find" || ask === "history" || ask === "transcript" || ask === "ledger"
  }
}

/** A job, before it is made. */
export const jobModel: Model<JobState, JobOperation> = {
  initial: { ...absentJob, transcript: null, charged: null },
  step,
  isLook,
  key: ({ charged, heldUntil, history, isLapsed, job, lease, transcript }) =>
    [job === null, history.at(-1), lease, isLapsed, heldUntil, transcript, charged].join()
}
