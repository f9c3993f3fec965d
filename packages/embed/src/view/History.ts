/** What happened to a job, as a host sees it. */
import { attemptCause, eventSubjects } from "@verbatim/core/job"
import type { HistoryEntry } from "@verbatim/core/ports"
import { type Failure, type Hook, toFailure } from "./Job.ts"

/** One event. Each detail is there where it means something. */
export interface HistoryEvent {
  /** Number of the commit that wrote it; the creation is 1. */
  readonly revision: number
  readonly at: Date
  readonly about: "job" | "transcription" | "summary" | "webhook" | "notice"
  /** For example `AttemptStarted`. */
  readonly event: string
  /** Which function of the host a notice is for. */
  readonly hook?: Hook
  /** When the next attempt may begin. */
  readonly dueAt?: Date
  readonly failure?: Failure
  /** What a receiver answered. */
  readonly status?: number
}

/** What an event tells by itself. */
type Detail = "dueAt" | "event" | "failure" | "status"

type Happened = HistoryEntry["events"][number]

const toEvent = (revision: number, happened: Happened): HistoryEvent => ({
  revision,
  at: new Date(happened.event.at.epochMilliseconds),
  about: eventSubjects[happened._tag],
  ...("hook" in happened ? { hook: happened.hook } : {}),
  ...detailsOf(happened.event)
})

const detailsOf = (event: Happened["event"]): Pick<HistoryEvent, Detail> => ({
  event: event._tag,
  ...("dueAt" in event ? { dueAt: new Date(event.dueAt.epochMilliseconds) } : {}),
  ...("failure" in event
    ? { failure: { ...toFailure(event.failure), message: attemptCause(event.failure) } }
    : {}),
  ...("status" in event ? { status: event.status } : {})
})

/** Everything that happened, oldest first. */
export const toHistory = (entries: ReadonlyArray<HistoryEntry>): ReadonlyArray<HistoryEvent> =>
  entries.flatMap(
    ({ at, events, revision }): ReadonlyArray<HistoryEvent> =>
      revision === 1
        ? [{ revision, at: new Date(at.epochMilliseconds), about: "job", event: "Accepted" }]
        : events.map((happened) => toEvent(revision, happened))
  )
