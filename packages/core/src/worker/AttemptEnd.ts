/** Decides what to commit, log and report to the worker when the work of an attempt has ended. */
import {
  Cause,
  Data,
  type DateTime,
  Duration,
  Effect,
  Exit,
  DateTime as Instant,
  Option,
  Order
} from "effect"
import { Failure, sentence, toLine } from "../domain/attempt/Failure.ts"
import type { RetryPolicy } from "../domain/attempt/Verdict.ts"
import type { Task } from "../domain/attempt/Work.ts"
import type { KeptBody } from "../domain/delivery/Delivery.ts"
import * as AttemptEvents from "../domain/job/AttemptEvents.ts"
import { attemptUnderway } from "../domain/job/AttemptEvents.ts"
import type { AttemptUnderway } from "../domain/job/CurrentStep.ts"
import { type Job, pendingWork } from "../domain/job/Job.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import { coreMetrics } from "../metrics/CoreTable.ts"
import type { BodyChange } from "../ports/JobStore.ts"
import { continueTrace } from "../ports/Trace.ts"
import type { FailureCount } from "../ports/WorkerRegistry.ts"
import type { Outcome } from "../services/tasks/TaskContext.ts"
import type { LeaseLost } from "./Leases.ts"

/** The result of an attempt, reduced to the facts that the worker needs. */
export type Ending = Data.TaggedEnum<{
  Succeeded: {}
  Failed: { readonly failure: Failure }
  /** The attempt was lost, released or superseded, so it says nothing about its dependencies. */
  Unjudged: {}
  /** No attempt was counted, because the worker is stopping or a step before the attempt failed. */
  NotBegun: { readonly failure: Failure | undefined }
}>
export const Ending = Data.taggedEnum<Ending>()

/** Returns the failure with which an attempt ended, if any. */
export const failureOf = (ending: Ending): Failure | undefined =>
  "failure" in ending ? ending.failure : undefined

/** The exit of an attempt's work: a result, a failure, a lost lease, or an interruption. */
export type AttemptExit<A> = Exit.Exit<A, Failure | LeaseLost>

/** Whether the attempt was interrupted because its worker is stopping. */
export const isInterrupted = (exit: AttemptExit<unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)

/**
 * Returns the failure of an attempt; undefined if it succeeded, was interrupted, or lost its lease.
 */
export const failureIn = (exit: AttemptExit<unknown>): Failure | undefined => {
  if (Exit.isSuccess(exit) || isInterrupted(exit)) return undefined
  const failure = Option.getOrElse(Cause.findErrorOption(exit.cause), () =>
    Failure.cases.EngineFailed.make({ detail: "an unexpected defect; see the log" })
  )
  return failure._tag === "LeaseLost" ? undefined : failure
}

/** Returns the commit at the end of an attempt; none if the lease was lost. */
export const closeAttempt = (
  job: Job,
  ended: {
    readonly at: DateTime.Utc
    readonly attempt: AttemptUnderway
    readonly exit: AttemptExit<Outcome>
    readonly policy: RetryPolicy
  }
): Option.Option<{ readonly events: ReadonlyArray<JobEvent> } & Partial<Outcome>> => {
  const { exit } = ended
  if (Exit.isSuccess(exit)) return Option.some(exit.value)
  if (isInterrupted(exit)) return Option.some({ events: AttemptEvents.releaseEvents(job, ended) })
  const failure = failureIn(exit)
  return failure === undefined
    ? Option.none()
    : Option.some({ events: AttemptEvents.failureEvents(job, { ...ended, failure }) })
}

/**
 * Returns the change to the stored webhook body. A sent body is stored only while another attempt
 * may follow.
 */
export const bodyChange = (
  events: ReadonlyArray<JobEvent>,
  { attempt, sent }: { readonly attempt: AttemptUnderway; readonly sent: KeptBody | undefined }
): Option.Option<BodyChange> => {
  if (attempt.task !== "Deliver") return Option.none()
  if (hasEnded(events)) {
    return attempt.attempt === 1 ? Option.none() : Option.some({ _tag: "Forget" })
  }
  return sent === undefined ? Option.none() : Option.some({ _tag: "Keep", body: sent })
}

const hasEnded = (events: ReadonlyArray<JobEvent>): boolean =>
  events.some(
    ({ _tag, event }) =>
      _tag === "Delivery" && (event._tag === "GivenUp" || event._tag === "ReceiverAccepted")
  )

/**
 * Deletes the stored webhook body if the last attempt died with its process, because the webhook is
 * not sent again.
 */
export const afterLoss = (events: ReadonlyArray<JobEvent>): Option.Option<BodyChange> =>
  hasEnded(events) ? Option.some({ _tag: "Forget" }) : Option.none()

/** The names of the tasks, as operators see them. */
const names: Readonly<Record<Task, string>> = {
  Fetch: "Download",
  Transcribe: "Transcription",
  Summarize: "Summary",
  Deliver: "Webhook",
  Notify: "Notice of the end"
}

/**
 * The outcome of an attempt in words, by the event that ended it. Any other event means success.
 */
const outcomes: Readonly<Record<string, string>> = {
  AttemptLost: "was interrupted by the end of its process",
  AttemptPostponed: "waits, and the attempt does not count",
  AttemptReleased: "was released by a stopping worker",
  GivenUp: "failed",
  RetryScheduled: "will be tried again"
}

/** Converts a sentence to the last part of another sentence. */
const asPart = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Formats the log line of an attempt: the task, the outcome, and the reason for a failure. */
export const toLogLine = (
  { attempt, task }: AttemptUnderway,
  { events, failure }: { events: ReadonlyArray<JobEvent>; failure: Failure | undefined }
): string => {
  const [ended] = events.flatMap(({ event }) => outcomes[event._tag] ?? [])
  const detail = failure !== undefined && "detail" in failure ? toLine(failure.detail ?? "") : ""
  const why = failure === undefined ? "" : `: ${asPart(sentence(failure))}`
  const times = attempt === 1 ? "" : ` (attempt ${attempt})`
  return `${names[task]} ${ended ?? "done"}${times}${why}${detail === "" ? "" : ` (${detail})`}`
}

const secondsFrom = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.max(0, Duration.toSeconds(Instant.distance(from, to)))

/**
 * Returns the failure of an attempt that lost its worker; undefined if only the loss was recorded.
 */
const lossIn = (events: ReadonlyArray<JobEvent>): Failure | undefined =>
  events.flatMap(({ event }) => ("failure" in event ? [event.failure] : []))[0]

/**
 * Counts the first commit of a claimed job, which begins an attempt or records the loss of the
 * previous one. A loss is logged here, because the lost process could not log it.
 */
export const countOpening = (opening: {
  readonly claimed: Job
  readonly job: Job
  readonly events: ReadonlyArray<JobEvent>
  readonly at: DateTime.Utc
}): Effect.Effect<void> => {
  const { at, claimed, events, job } = opening
  const lost = attemptUnderway(claimed)
  if (lost !== undefined) {
    const failure = lossIn(events)
    return Effect.andThen(
      coreMetrics.attempts.record({ task: lost.task, outcome: failure?._tag ?? "WorkerLost" }),
      Effect.logWarning(`Taken over: ${toLogLine(lost, { events, failure })}`)
    )
  }
  const begun = attemptUnderway(job)
  const work = pendingWork(claimed)
  if (begun === undefined || Option.isNone(work)) return Effect.void
  return coreMetrics.workWait.record({ task: begun.task }, secondsFrom(work.value.dueAt, at))
}

/** Counts an attempt once its end is written. */
export const countEnd = (
  { startedAt, task }: AttemptUnderway,
  { at, exit }: { readonly at: DateTime.Utc; readonly exit: AttemptExit<unknown> }
): Effect.Effect<void> => {
  const outcome = failureIn(exit)?._tag ?? (exit._tag === "Success" ? "Succeeded" : "Released")
  return Effect.andThen(
    coreMetrics.attempts.record({ task, outcome }),
    coreMetrics.attemptDuration.record({ task }, secondsFrom(startedAt, at))
  )
}

/** Runs an attempt in a span, which fails if the attempt fails. */
export const traceAttempt = (job: Job, attempt: Effect.Effect<Ending>): Effect.Effect<Ending> => {
  const kind = Option.match(pendingWork(job), {
    onNone: () => "Nothing",
    onSome: (work) => work.kind
  })
  return attempt.pipe(
    Effect.flatMap((ending) =>
      ending._tag === "Failed" ? Effect.fail(ending) : Effect.succeed(ending)
    ),
    continueTrace({
      name: kind,
      traceParent: job.traceParent,
      attributes: {
        "verbatim.job.id": job.id,
        "verbatim.job.kind": kind,
        "verbatim.workspace.id": job.workspaceId
      }
    }),
    Effect.catch(Effect.succeed)
  )
}

/** Adds the attributes of an attempt that has begun to its span. */
export const noteStart = ({ attempt, task }: AttemptUnderway): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    // The kind of an isolated attempt is `Isolate`, so the task is recorded too.
    "verbatim.job.task": task,
    "verbatim.job.attempt": attempt
  })

/** Adds the outcome of an attempt to its span. */
export const noteEnd = (
  events: ReadonlyArray<JobEvent>,
  failure: Failure | undefined
): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "verbatim.job.events": events.map(({ event }) => event._tag),
    ...(failure === undefined ? {} : { "error.type": failure._tag })
  })

const minuteMillis = 60_000

const minuteMax = 60

const mostFirst: Order.Order<FailureCount> = Order.combineAll([
  Order.mapInput(Order.flip(Order.Number), ({ count }: FailureCount) => count),
  Order.mapInput(Order.String, ({ reason }: FailureCount) => reason),
  Order.mapInput(Order.String, ({ task }: FailureCount) => task)
])

/** Adds up the failure counts of the same task and reason. Returns the highest counts first. */
export const sumFailures = (counts: ReadonlyArray<FailureCount>): ReadonlyArray<FailureCount> => {
  const sums = new Map<string, FailureCount>()
  for (const each of counts) {
    const key = `${each.task} ${each.reason}`
    sums.set(key, { ...each, count: each.count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()].sort(mostFirst)
}

/**
 * Creates an empty tally of failures, which stays small because there are few tasks and reasons.
 */
export const makeFailureTally = () => {
  const minutes = new Map<number, ReadonlyArray<FailureCount>>()
  const minuteOf = (at: DateTime.Utc) => Math.floor(at.epochMilliseconds / minuteMillis)

  return {
    /** Counts the failures among the events that end an attempt. */
    note: (task: Task, events: ReadonlyArray<JobEvent>, at: DateTime.Utc): void => {
      const more = events.flatMap(({ event }) =>
        event._tag === "GivenUp" ? [{ task, reason: event.failure._tag, count: 1 }] : []
      )
      if (more.length === 0) return
      minutes.set(minuteOf(at), sumFailures([...(minutes.get(minuteOf(at)) ?? []), ...more]))
    },
    /** Returns the counts of the last hour. */
    counts: (now: DateTime.Utc): ReadonlyArray<FailureCount> => {
      for (const minute of minutes.keys()) {
        if (minute <= minuteOf(now) - minuteMax) minutes.delete(minute)
      }
      return sumFailures([...minutes.values()].flat())
    }
  }
}
