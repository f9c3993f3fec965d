/**
 * What follows from a failed attempt: another one at some instant, or the end. Decided before the
 * event is written, so that every event has one target.
 */
import { Context, DateTime, Duration, Schema } from "effect"
import { Failure, isTransient } from "./Failure.ts"
import type { WorkKind } from "./Work.ts"

/** How a kind of work is tried again. */
export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attemptMax: number
  /** From the end of an attempt to the start of the next, for the first failure. */
  readonly delay: Duration.Duration
  /** By how much the delay grows with each further failure. */
  readonly growth: number
  /** From the start of an attempt whose worker was lost to the start of the next. */
  readonly lostDelay: Duration.Duration
  /** How long an attempt may take. Whatever hangs behind a port holds its slot no longer. */
  readonly timeMax: Duration.Duration
  /** What an attempt that took longer has failed with. */
  readonly overdue: Failure
}

const engine = {
  attemptMax: 3,
  delay: Duration.seconds(5),
  growth: 2,
  // The lease has lapsed, so nobody works on it: again at once.
  lostDelay: Duration.zero
}

const detail = "it took too long"

const webhook: RetryPolicy = {
  // Specification, events: 3 attempts, 60 seconds between them.
  attemptMax: 3,
  delay: Duration.seconds(60),
  growth: 1,
  // An attempt ends at the latest 30 s after its start, and 60 s must follow its end.
  lostDelay: Duration.seconds(90),
  // The delivery ends by itself after 30 s; this is for what does not.
  timeMax: Duration.seconds(60),
  overdue: Failure.cases.ReceiverUnreachable.make({ detail })
}

/** A policy for each kind of work. */
export type Policies = Readonly<Record<WorkKind, RetryPolicy>>

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
  Deliver: webhook
}

/** The policies of a process. Only tests have others: they cannot wait for minutes. */
export const RetryPolicies: Context.Reference<Policies> = Context.Reference(
  "@verbatim/core/job/RetryPolicies",
  { defaultValue: () => policies }
)

/** What follows from a failed attempt. */
export const Verdict = Schema.TaggedUnion({
  Retry: { dueAt: Schema.DateTimeUtcFromMillis },
  GiveUp: {}
})
export type Verdict = typeof Verdict.Type

/** Judges a failed attempt. `now` is when it ended, or when its worker was found lost. */
export const decide = (failed: {
  readonly policy: RetryPolicy
  /** Ordinal of the attempt that failed. */
  readonly attempt: number
  readonly startedAt: DateTime.Utc
  readonly failure: Failure
  readonly now: DateTime.Utc
}): Verdict => {
  const { attempt, failure, now, policy, startedAt } = failed
  if (!isTransient(failure) || attempt >= policy.attemptMax) return Verdict.cases.GiveUp.make({})
  const dueAt =
    failure._tag === "WorkerLost"
      ? DateTime.max(now, DateTime.addDuration(startedAt, policy.lostDelay))
      : DateTime.addDuration(now, Duration.times(policy.delay, policy.growth ** (attempt - 1)))
  return Verdict.cases.Retry.make({ dueAt })
}
