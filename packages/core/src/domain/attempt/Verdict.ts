/**
 * What follows from a failed attempt: another one at some instant, or the end. Decided before the
 * event is written, so that every event has one target.
 */
import { Context, DateTime, Duration, Schema } from "effect"
import { afterDeath, noSetbacks, type Setbacks } from "./Attempt.ts"
import { Failure, isOutage, isTransient } from "./Failure.ts"
import type { Task } from "./Work.ts"

/** How a task is tried again. */
export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attemptMax: number
  /** From the end of an attempt to the start of the next, for the first failure. */
  readonly delay: Duration.Duration
  /** By how much the delay grows with each further failure. */
  readonly growth: number
  /** From the start of an attempt whose worker was lost to the start of the next. */
  readonly lostDelay: Duration.Duration
  /**
   * A task is given up after its process died this often while it ran alone. Such deaths spend no
   * attempts. Null where each counts as an attempt.
   */
  readonly deathMax: number | null
  /** How long an attempt may take, so that whatever hangs behind a port gives up its slot. */
  readonly timeMax: Duration.Duration
  /** The failure of an attempt that took longer. */
  readonly overdue: Failure
}

const engine = {
  attemptMax: 3,
  delay: Duration.seconds(5),
  growth: 2,
  // The lease has lapsed, so nobody works on it: again at once.
  lostDelay: Duration.zero,
  deathMax: 3
}

const detail = "it took too long"

const webhook = {
  // Specification, events: 3 attempts, 60 seconds between them.
  attemptMax: 3,
  delay: Duration.seconds(60),
  growth: 1,
  // An attempt ends at the latest 30 s after its start, and 60 s must follow its end.
  lostDelay: Duration.seconds(90),
  // It may have gone out.
  deathMax: null,
  // The delivery ends by itself after 30 s; this is for what does not.
  timeMax: Duration.seconds(60),
  overdue: Failure.cases.ReceiverUnreachable.make({ detail })
} satisfies RetryPolicy

const notice = {
  // As often and as late as a webhook.
  ...webhook,
  overdue: Failure.cases.ListenerFailed.make({ detail })
} satisfies RetryPolicy

/**
 * A policy for each task. A webhook may have gone out, and a listener may have been called, before
 * the process died: that counts.
 */
export type Policies = Readonly<Record<Task, RetryPolicy>> & {
  readonly Deliver: { readonly deathMax: null }
  readonly Notify: { readonly deathMax: null }
}

/** How long a task waits for something that is out of reach: doubling, until its job is old. */
export const patience = {
  delay: Duration.seconds(1),
  delayMax: Duration.seconds(60),
  ageMax: Duration.hours(24)
}

/** Doublings after which the delay has reached its maximum, however many more are counted. */
const doublingsMax = 6

/** The policies that the specification and the decisions ask for. */
export const policies: Policies = {
  Fetch: {
    ...engine,
    // 200 MB at 28 kB/s; the client asks for more than that.
    timeMax: Duration.hours(2),
    overdue: Failure.cases.MediaUnreachable.make({ detail })
  },
  Transcribe: {
    ...engine,
    // Ten hours of audio on an engine that takes twice as long, with some reserve.
    timeMax: Duration.hours(24),
    overdue: Failure.cases.EngineFailed.make({ detail })
  },
  Summarize: {
    ...engine,
    // A language model that reads ten hours in parts on one machine.
    timeMax: Duration.hours(1),
    overdue: Failure.cases.EngineFailed.make({ detail })
  },
  Deliver: webhook,
  Notify: notice
}

/** The policies of a process. Only tests have others: they cannot wait for minutes. */
export const RetryPolicies: Context.Reference<Policies> = Context.Reference(
  "@verbatim/core/domain/attempt/RetryPolicies",
  { defaultValue: () => policies }
)

/** What follows from a failed attempt. */
export const Verdict = Schema.TaggedUnion({
  Retry: { dueAt: Schema.DateTimeUtcFromMillis },
  /** Again later, and the attempt is not spent. */
  Postpone: { dueAt: Schema.DateTimeUtcFromMillis },
  /** Again, but alone, and the attempt is not spent. */
  Isolate: { dueAt: Schema.DateTimeUtcFromMillis },
  GiveUp: {}
})
export type Verdict = typeof Verdict.Type

/** An attempt that failed. */
export interface Failed {
  readonly policy: RetryPolicy
  /** Ordinal of the attempt. */
  readonly attempt: number
  readonly setbacks?: Setbacks
  readonly startedAt: DateTime.Utc
  readonly failure: Failure
  /** When it ended, or when its worker was found lost. */
  readonly now: DateTime.Utc
  /** When the job was asked for, or asked for again. */
  readonly sentAt: DateTime.Utc
}

/** Judges a failed attempt. */
export const decide = (failed: Failed): Verdict => {
  const { attempt, failure, now, policy, startedAt } = failed
  if (failure._tag === "WorkerLost" && policy.deathMax !== null) return afterLoss(failed)
  if (isOutage(failure) && !isOld(failed)) return afterOutage(failed)
  if (!isTransient(failure) || attempt >= policy.attemptMax) return Verdict.cases.GiveUp.make({})
  const dueAt =
    failure._tag === "WorkerLost"
      ? DateTime.max(now, DateTime.addDuration(startedAt, policy.lostDelay))
      : DateTime.addDuration(now, Duration.times(policy.delay, policy.growth ** (attempt - 1)))
  return Verdict.cases.Retry.make({ dueAt })
}

/** A death beside other tasks proves nothing. Only a task that ran alone is blamed. */
const afterLoss = (failed: Failed): Verdict =>
  afterDeath(failed).setbacks.deaths >= (failed.policy.deathMax ?? 0)
    ? Verdict.cases.GiveUp.make({})
    : Verdict.cases.Isolate.make({ dueAt: failed.now })

/** From then on outages are failures like any other, so that the job ends. */
const isOld = ({ sentAt, now }: Failed): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(sentAt, patience.ageMax))

const afterOutage = ({ now, setbacks = noSetbacks }: Failed): Verdict => {
  const doublings = Math.min(setbacks.outages, doublingsMax)
  const delay = Duration.min(Duration.times(patience.delay, 2 ** doublings), patience.delayMax)
  return Verdict.cases.Postpone.make({ dueAt: DateTime.addDuration(now, delay) })
}
