/** What happened to a job, as a host sees it. */
import type { Failure as CoreFailure } from "@verbatim/core/attempt"
import type { HistoryEntry } from "@verbatim/core/ports"
import { type Failure, toFailure } from "./Job.ts"

/** One event. Each detail is there where it means something. */
export interface HistoryEvent {
  /** Number of the commit that wrote it; the creation is 1. */
  readonly revision: number
  readonly at: Date
  readonly about: "job" | "transcription" | "summary" | "webhook" | "notice"
  /** For example `AttemptStarted`. */
  readonly event: string
  /** When the next attempt may begin. */
  readonly dueAt?: Date
  readonly failure?: Failure
  /** What a receiver answered. */
  readonly status?: number
}

type Happened = HistoryEntry["events"][number]

const subjects = {
  Transcription: "transcription",
  Summary: "summary",
  Delivery: "webhook",
  Notice: "notice",
  Redelivery: "webhook",
  Renotify: "notice",
  Retry: "job",
  Keeping: "job"
} as const satisfies Record<Happened["_tag"], HistoryEvent["about"]>

/** What ended one attempt. Whether it was one too many, the status of the job tells. */
const toCause = (failure: CoreFailure): Failure =>
  failure._tag === "WorkerLost"
    ? { code: failure._tag, message: "The work was interrupted" }
    : toFailure(failure)

const toEvent = (revision: number, { _tag, event }: Happened): HistoryEvent => ({
  revision,
  at: new Date(event.at.epochMilliseconds),
  about: subjects[_tag],
  event: event._tag,
  ...("dueAt" in event ? { dueAt: new Date(event.dueAt.epochMilliseconds) } : {}),
  ...("failure" in event ? { failure: toCause(event.failure) } : {}),
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
