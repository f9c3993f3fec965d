/** What happened to a job, as a host sees it. */
import { attemptCause, eventSubjects, type JobHistory } from "@verbatim/core/job"
import type { HistoryEntry } from "@verbatim/core/ports"
import { toWarningView, type WarningView } from "@verbatim/core/transcription"
import { type Failure, type Hook, type SummaryType, toFailure } from "./Job.ts"

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
  /** What was recognised: how long it is, in which language, and by what. */
  readonly durationMillis?: number
  readonly language?: string
  readonly engine?: string
  /** Whether the engine was told the keywords, and how many voices there are. */
  readonly areKeywordsUsed?: boolean
  readonly isSpeakerCountUsed?: boolean
  /** What of the recording was not heard. */
  readonly warnings?: ReadonlyArray<WarningView>
  /** Of a summary. */
  readonly type?: SummaryType
  /** Why something was skipped, or removed. */
  readonly reason?: string
  /** What a receiver answered. */
  readonly status?: number
}

/** One request to the receiver of a webhook. */
export interface WebhookAttempt {
  /** The first delivery is 1; each redelivery adds one. */
  readonly delivery: number
  /** Within the delivery, from 1. */
  readonly attempt: number
  readonly startedAt: Date
  /** Null while it is under way. */
  readonly durationMillis: number | null
  /** What the receiver answered; null where it did not, or not yet. */
  readonly status: number | null
  /** How long the body of the request is; null where it is not known. */
  readonly byteLength: number | null
  /** What went wrong; null where nothing did, or not yet. */
  readonly error: string | null
  /** The same in the words of the receiver or of the connection to it, if there are any. */
  readonly cause: string | null
}

/** What an event tells by itself. */
type Detail = Exclude<keyof HistoryEvent, "about" | "at" | "hook" | "revision">

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
  ...("durationMillis" in event ? { durationMillis: event.durationMillis } : {}),
  ...("language" in event ? { language: event.language, engine: event.engine } : {}),
  ...("areKeywordsUsed" in event ? { areKeywordsUsed: event.areKeywordsUsed } : {}),
  ...("isSpeakerCountUsed" in event ? { isSpeakerCountUsed: event.isSpeakerCountUsed } : {}),
  ...("warnings" in event ? { warnings: event.warnings.map(toWarningView) } : {}),
  ...("type" in event ? { type: event.type } : {}),
  ...("reason" in event ? { reason: event.reason } : {}),
  ...("status" in event ? { status: event.status } : {})
})

/** Every request to a receiver, in order. */
export const toAttempts = ({ webhook_attempts }: JobHistory): ReadonlyArray<WebhookAttempt> =>
  webhook_attempts.map(
    ({ attempt, bytes, cause, delivery, duration_ms, error, started_at, status_code }) => ({
      delivery,
      attempt,
      startedAt: new Date(started_at),
      durationMillis: duration_ms,
      status: status_code,
      byteLength: bytes ?? null,
      error: error ?? null,
      cause: cause ?? null
    })
  )

/** Everything that happened, oldest first. */
export const toHistory = (entries: ReadonlyArray<HistoryEntry>): ReadonlyArray<HistoryEvent> =>
  entries.flatMap(
    ({ at, events, revision }): ReadonlyArray<HistoryEvent> =>
      revision === 1
        ? [{ revision, at: new Date(at.epochMilliseconds), about: "job", event: "Accepted" }]
        : events.map((happened) => toEvent(revision, happened))
  )
