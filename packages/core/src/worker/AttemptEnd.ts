/**
 * What is committed at the end of an attempt, what the log says, and what the worker is told,
 * decided by how its work ended.
 */
import { Cause, Data, type DateTime, Exit, Option } from "effect"
import { Failure, sentence, toLine } from "../domain/attempt/Failure.ts"
import type { RetryPolicy } from "../domain/attempt/Verdict.ts"
import type { Task } from "../domain/attempt/Work.ts"
import type { KeptBody } from "../domain/delivery/Delivery.ts"
import * as AttemptEvents from "../domain/job/AttemptEvents.ts"
import type { AttemptUnderway } from "../domain/job/Current.ts"
import type { Job } from "../domain/job/Job.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import type { BodyChange } from "../ports/JobStore.ts"
import type { Outcome } from "../services/Assignment.ts"
import type { LeaseLost } from "./Leases.ts"

/** What came of an attempt, as far as the worker has to know. */
export type Ending = Data.TaggedEnum<{
  Succeeded: {}
  Failed: { readonly failure: Failure }
  /** It was found lost, given back, or overtaken: it says nothing of what it needed. */
  Unjudged: {}
  /** No attempt was counted: the worker stops, or what comes before an attempt failed. */
  NotBegun: { readonly failure: Failure | undefined }
}>
export const Ending = Data.taggedEnum<Ending>()

/** Why it failed, if it did. */
export const failureOf = (ending: Ending): Failure | undefined =>
  "failure" in ending ? ending.failure : undefined

/** How the work of an attempt ended. */
export type Ended<A> = Exit.Exit<A, Failure | LeaseLost>

/** Whether its worker stops. */
export const isInterrupted = (exit: Ended<unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)

/** Why an attempt failed; none when it went well, was interrupted, or lost its lease. */
export const failureIn = (exit: Ended<unknown>): Failure | undefined => {
  if (Exit.isSuccess(exit) || isInterrupted(exit)) return undefined
  const failure = Option.getOrElse(Cause.findErrorOption(exit.cause), () =>
    Failure.cases.EngineFailed.make({ detail: "an unexpected defect; see the log" })
  )
  return failure._tag === "LeaseLost" ? undefined : failure
}

/** What to commit at the end of an attempt: nothing when the lease is gone. */
export const closeAttempt = (
  job: Job,
  ended: {
    readonly at: DateTime.Utc
    readonly attempt: AttemptUnderway
    readonly exit: Ended<Outcome>
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

/** The body that was sent is kept while another attempt may follow, and no longer. */
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

/** A webhook is not sent again when its last attempt died with the process. */
export const afterLoss = (events: ReadonlyArray<JobEvent>): Option.Option<BodyChange> =>
  hasEnded(events) ? Option.some({ _tag: "Forget" }) : Option.none()

/** What operators call a task. */
const names: Readonly<Record<Task, string>> = {
  Fetch: "Download",
  Transcribe: "Transcription",
  Announce: "Notice of the transcript",
  Summarize: "Summary",
  Deliver: "Webhook",
  Notify: "Notice of the end"
}

/** What came of an attempt, by the event that ended it; any other event is a success. */
const outcomes: Readonly<Record<string, string>> = {
  AttemptLost: "was interrupted by the end of its process",
  AttemptPostponed: "waits, and the attempt does not count",
  AttemptReleased: "was given back by a worker that stops",
  GivenUp: "failed",
  RetryScheduled: "will be tried again"
}

/** A sentence within another one. */
const asPart = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** One line for the log: the task, what came of the attempt, and why it failed. */
export const story = (
  { attempt, task }: AttemptUnderway,
  { events, failure }: { events: ReadonlyArray<JobEvent>; failure: Failure | undefined }
): string => {
  const [ended] = events.flatMap(({ event }) => outcomes[event._tag] ?? [])
  const detail = failure !== undefined && "detail" in failure ? toLine(failure.detail ?? "") : ""
  const why = failure === undefined ? "" : `: ${asPart(sentence(failure))}`
  const times = attempt === 1 ? "" : ` (attempt ${attempt})`
  return `${names[task]} ${ended ?? "done"}${times}${why}${detail === "" ? "" : ` (${detail})`}`
}
