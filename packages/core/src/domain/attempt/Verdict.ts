/**
 * Decides what happens after a failed attempt: another attempt, or the failure of the task. The
 * decision is made before the event is written, so that every event leads to exactly one state.
 */
import { Context, DateTime, Duration, Schema } from "effect"
import { afterDeath, noSetbacks, type Setbacks } from "./Attempt.ts"
import { Failure, isOutage, isTransient } from "./Failure.ts"
import type { Task } from "./Work.ts"

/** The rules for retrying a task. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number
  /** Delay between the end of an attempt and the start of the next one, after the first failure. */
  readonly delay: Duration.Duration
  /** Factor by which the delay grows with each further failure. */
  readonly growth: number
  /**
   * Minimum delay between the start of an attempt that lost its worker and the start of the next
   * one.
   */
  readonly lostDelay: Duration.Duration
  /**
   * Number of crashes in isolation after which a task fails; null if each crash uses up an attempt
   * instead.
   */
  readonly maxDeaths: number | null
  /** Maximum duration of an attempt, so that a call that hangs does not hold its slot forever. */
  readonly maxDuration: Duration.Duration
  /** The failure recorded for an attempt that exceeds the maximum duration. */
  readonly overdue: Failure
}

const engine = {
  maxAttempts: 3,
  delay: Duration.seconds(5),
  growth: 2,
  // A task that lost its worker is retried immediately, because its lease has expired.
  lostDelay: Duration.zero,
  maxDeaths: 3
}

const detail = "it took too long"

const webhook = {
  // A webhook gets three attempts, 60 seconds apart (specification, events).
  maxAttempts: 3,
  delay: Duration.seconds(60),
  growth: 1,
  // A lost attempt may have run for 30 s, and the next attempt starts 60 s after that.
  lostDelay: Duration.seconds(90),
  // Each death counts as an attempt, because the webhook may have been sent.
  maxDeaths: null,
  // A delivery normally ends within 30 s; this limit ends one that hangs.
  maxDuration: Duration.seconds(60),
  overdue: Failure.cases.ReceiverUnreachable.make({ detail })
} satisfies RetryPolicy

const notice = {
  // A notice gets the same attempts and delays as a webhook.
  ...webhook,
  overdue: Failure.cases.ListenerFailed.make({ detail })
} satisfies RetryPolicy

/**
 * A retry policy for each task. An attempt at a webhook or a notice counts even if the process
 * died, because the request may have been sent or the listener called.
 */
export type Policies = Readonly<Record<Task, RetryPolicy>> & {
  readonly Deliver: { readonly maxDeaths: null }
  readonly Notify: { readonly maxDeaths: null }
}

/**
 * The rules for waiting for an unreachable dependency. The delay doubles up to a maximum, and the
 * task stops waiting when the job is a day old.
 */
export const patience = {
  delay: Duration.seconds(1),
  maxDelay: Duration.seconds(60),
  maxAge: Duration.hours(24)
}

/** Number of doublings before the delay reaches its maximum. */
const doublingsMax = 6

/** The retry policies that the specification and the decision records require. */
export const policies: Policies = {
  Fetch: {
    ...engine,
    // Two hours are enough to download 200 MB at 28 kB/s; the HTTP client aborts slower transfers.
    maxDuration: Duration.hours(2),
    overdue: Failure.cases.MediaUnreachable.make({ detail })
  },
  Transcribe: {
    ...engine,
    // A day is enough for ten hours of audio on an engine that runs at half of real-time speed.
    maxDuration: Duration.hours(24),
    overdue: Failure.cases.EngineFailed.make({ detail })
  },
  Summarize: {
    ...engine,
    // An hour is enough for a local language model to read ten hours of speech in several parts.
    maxDuration: Duration.hours(1),
    overdue: Failure.cases.EngineFailed.make({ detail })
  },
  Deliver: webhook,
  Notify: notice
}

/**
 * The retry policies of a process. Only tests override them, because tests cannot wait for minutes.
 */
export const RetryPolicies: Context.Reference<Policies> = Context.Reference(
  "@verbatim/core/domain/attempt/RetryPolicies",
  { defaultValue: () => policies }
)

/** The decision after a failed attempt. */
export const Verdict = Schema.TaggedUnion({
  Retry: { dueAt: Schema.DateTimeUtcFromMillis },
  /** Retry later, without counting the attempt. */
  Postpone: { dueAt: Schema.DateTimeUtcFromMillis },
  /** Retry while nothing else runs, without counting the attempt. */
  Isolate: { dueAt: Schema.DateTimeUtcFromMillis },
  GiveUp: {}
})
export type Verdict = typeof Verdict.Type

/** A failed attempt, with everything that the verdict depends on. */
export interface Failed {
  readonly policy: RetryPolicy
  /** Number of the attempt; the first is 1. */
  readonly attempt: number
  readonly setbacks?: Setbacks
  readonly startedAt: DateTime.Utc
  readonly failure: Failure
  /** The time when the attempt ended, or when its worker was found to be lost. */
  readonly now: DateTime.Utc
  /** The time when the job was submitted or last retried. */
  readonly requestedAt: DateTime.Utc
}

/** Returns the verdict on a failed attempt. */
export const decide = (failed: Failed): Verdict => {
  const { attempt, failure, now, policy, startedAt } = failed
  if (failure._tag === "WorkerLost" && policy.maxDeaths !== null) return afterLoss(failed)
  if (isOutage(failure) && !isOld(failed)) return afterOutage(failed)
  if (!isTransient(failure) || attempt >= policy.maxAttempts) return Verdict.cases.GiveUp.make({})
  const dueAt =
    failure._tag === "WorkerLost"
      ? DateTime.max(now, DateTime.addDuration(startedAt, policy.lostDelay))
      : DateTime.addDuration(now, Duration.times(policy.delay, policy.growth ** (attempt - 1)))
  return Verdict.cases.Retry.make({ dueAt })
}

/**
 * A death counts only against a task that ran alone. Otherwise, any other running task may have
 * caused it.
 */
const afterLoss = (failed: Failed): Verdict =>
  afterDeath(failed).setbacks.deaths >= (failed.policy.maxDeaths ?? 0)
    ? Verdict.cases.GiveUp.make({})
    : Verdict.cases.Isolate.make({ dueAt: failed.now })

/** Whether the job is too old to wait for a dependency; outages then count as ordinary failures. */
const isOld = ({ requestedAt, now }: Failed): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(requestedAt, patience.maxAge))

const afterOutage = ({ now, setbacks = noSetbacks }: Failed): Verdict => {
  const doublings = Math.min(setbacks.outages, doublingsMax)
  const delay = Duration.min(Duration.times(patience.delay, 2 ** doublings), patience.maxDelay)
  return Verdict.cases.Postpone.make({ dueAt: DateTime.addDuration(now, delay) })
}
