/**
 * The response form of a job's history: every event with its timestamp, and every webhook request
 * with its outcome.
 */
import { DateTime, Schema } from "effect"
import { causeOf, type Failure, sentence } from "../attempt/Failure.ts"
import type { Frozen } from "../delivery/Delivery.ts"
import { seconds } from "../rendering/Timecode.ts"
import { toWarningView, WarningView } from "../transcription/Warning.ts"
import type { KeyKind } from "../workspace/ApiKey.ts"
import type { Job } from "./Job.ts"
import { linkFields, linksOf } from "./JobDetails.ts"
import type { JobEvent } from "./JobEvent.ts"

const Instant = Schema.String.annotate({ description: "ISO 8601 UTC with milliseconds." })

/** One event in the history of a job. Each detail is present only in the events that have it. */
export const HistoryEvent = Schema.Struct({
  revision: Schema.Int,
  at: Instant,
  about: Schema.Literals(["job", "transcription", "summary", "webhook", "notice"]),
  event: Schema.String,
  due_at: Schema.optionalKey(Instant),
  error: Schema.optionalKey(Schema.String),
  duration: Schema.optionalKey(Schema.String),
  language: Schema.optionalKey(Schema.String),
  engine: Schema.optionalKey(Schema.String),
  /** Whether the engine received the keywords. */
  keywords_used: Schema.optionalKey(Schema.Boolean),
  /** Whether the engine received the number of speakers. */
  speakers_used: Schema.optionalKey(Schema.Boolean),
  /** Parts of the recording that were not transcribed. */
  warnings: Schema.optionalKey(Schema.Array(WarningView)),
  type: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String),
  status_code: Schema.optionalKey(Schema.Int),
  /** The index of a recognised piece; the first is 0. */
  piece: Schema.optionalKey(Schema.Int),
  /** Number of pieces in the recording. */
  pieces: Schema.optionalKey(Schema.Int),
  /** Whether the result was already stored, so that the piece was not recognised again. */
  reused: Schema.optionalKey(Schema.Boolean)
})
export type HistoryEvent = typeof HistoryEvent.Type

const cause = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "The cause as reported by the engine or the receiver, without secrets. Only for " +
      "management keys."
  })
)

/** One webhook request and its outcome, as shown in a job's history. */
const WebhookAttempt = Schema.Struct({
  /** The number of the delivery: 1 for the first, and one more for each redelivery or retry. */
  delivery: Schema.Int,
  /** The number of the attempt within its delivery; the first is 1. */
  attempt: Schema.Int,
  started_at: Instant,
  /** The duration of the request; null if it is still running. */
  duration_ms: Schema.NullOr(Schema.Int),
  /** The status of the receiver's response; null if there is none, or none yet. */
  status_code: Schema.NullOr(Schema.Int),
  /** Length of the request body; left out if it is unknown. */
  bytes: Schema.optionalKey(Schema.Int),
  error: Schema.optionalKey(Schema.String),
  cause
})
type WebhookAttempt = typeof WebhookAttempt.Type

/** The history of a job, with the oldest events first. */
export const JobHistory = Schema.Struct({
  id: Schema.String,
  events: Schema.Array(Schema.Struct({ ...HistoryEvent.fields, cause })),
  webhook_attempts: Schema.Array(WebhookAttempt),
  ...linkFields
})
export type JobHistory = typeof JobHistory.Type

/** The parts of a commit that appear in the history. */
export interface HistoryCommit {
  readonly revision: number
  readonly at: DateTime.Utc
  readonly events: ReadonlyArray<JobEvent>
}

/** Converts a history to its response form, for a caller with the given kind of key. */
export const toHistory = (
  job: Job,
  {
    audience,
    entries
  }: { readonly entries: ReadonlyArray<HistoryCommit>; readonly audience: KeyKind }
): JobHistory => ({
  id: job.id,
  events: entries.flatMap((entry) => toHistoryEvents(entry, audience)),
  webhook_attempts: attempts(
    entries.flatMap(({ events }) => events),
    audience
  ),
  ...linksOf(job, audience)
})

/** The subject of each kind of event, as responses name it. */
const eventSubjects = {
  Transcription: "transcription",
  Summary: "summary",
  Delivery: "webhook",
  Notice: "notice",
  Redelivery: "webhook",
  Retry: "job",
  Keeping: "job"
} as const satisfies Record<JobEvent["_tag"], HistoryEvent["about"]>

/** A commit that this release may be unable to read. */
interface ReadableCommit extends HistoryCommit {
  readonly isUnreadable?: boolean
}

/**
 * Converts the events of a commit to their response form. The first commit, which created the job,
 * has no events and is shown as `accepted`. Subscribers do not see the causes of failures.
 */
export const toHistoryEvents = (
  { at, events, isUnreadable = false, revision }: ReadableCommit,
  audience: KeyKind = "inference"
): JobHistory["events"] =>
  revision === 1 || isUnreadable
    ? [
        {
          revision,
          at: DateTime.formatIso(at),
          about: "job",
          event: isUnreadable ? "unreadable" : "accepted"
        }
      ]
    : events.map((happened) => ({
        revision,
        at: DateTime.formatIso(happened.event.at),
        about: eventSubjects[happened._tag],
        event: inSnakeCase(happened.event._tag),
        ...toEventDetails(happened.event),
        ...("failure" in happened.event ? causeFor(happened.event.failure, audience) : {})
      }))

const inSnakeCase = (tag: string): string => tag.replace(/\B[A-Z]/g, "_$&").toLowerCase()

/**
 * Describes how an attempt failed. Only the job's status shows whether that attempt was the last
 * one.
 */
const attemptCause = (failure: Failure): string =>
  failure._tag === "WorkerLost" ? "The work was interrupted" : sentence(failure)

const causeFor = (failure: Failure, audience: KeyKind): { readonly cause?: string } => {
  const detail = audience === "management" ? causeOf(failure) : undefined
  return detail === undefined ? {} : { cause: detail }
}

const toEventDetails = (event: JobEvent["event"]): Partial<HistoryEvent> => ({
  ...("dueAt" in event ? { due_at: DateTime.formatIso(event.dueAt) } : {}),
  ...("failure" in event ? { error: attemptCause(event.failure) } : {}),
  ...("durationMillis" in event ? { duration: seconds(event.durationMillis) } : {}),
  ...("language" in event ? { language: event.language, engine: event.engine } : {}),
  ...("areKeywordsUsed" in event ? { keywords_used: event.areKeywordsUsed } : {}),
  ...("isSpeakerCountUsed" in event ? { speakers_used: event.isSpeakerCountUsed } : {}),
  ...("warnings" in event ? { warnings: event.warnings.map(toWarningView) } : {}),
  ...("type" in event ? { type: event.type } : {}),
  ...("reason" in event ? { reason: event.reason } : {}),
  ...("status" in event ? { status_code: event.status } : {}),
  ...("isReused" in event ? { piece: event.index, pieces: event.count } : {}),
  ...("isReused" in event && event.isReused ? { reused: true } : {})
})

/**
 * Lists all webhook requests in order. A request begins with the start of an attempt, and ends with
 * the next event.
 */
const attempts = (
  events: ReadonlyArray<JobEvent>,
  audience: KeyKind
): ReadonlyArray<WebhookAttempt> => {
  const all: Array<WebhookAttempt> = []
  let delivery = 1
  let attempt = 0
  let startedAt: DateTime.Utc | undefined
  for (const { _tag, event } of events) {
    if (_tag === "Redelivery" || _tag === "Retry") {
      delivery += 1
      attempt = 0
    }
    if (_tag !== "Delivery") continue
    if (event._tag === "AttemptStarted") {
      attempt += 1
      startedAt = event.at
      const started_at = DateTime.formatIso(startedAt)
      const open = { delivery, attempt, started_at, duration_ms: null, status_code: null }
      all.push({ ...open, ...sizeOf(event.frozen) })
      continue
    }
    const open = all.pop()
    if (open === undefined || startedAt === undefined) continue
    // A postponed attempt sent no request.
    if (event._tag === "AttemptPostponed") {
      attempt -= 1
      continue
    }
    const duration_ms = Math.max(0, event.at.epochMilliseconds - startedAt.epochMilliseconds)
    all.push({ ...open, duration_ms, ...outcome(event, audience) })
  }
  return all
}

const sizeOf = ({ byteLength }: Frozen): Pick<WebhookAttempt, "bytes"> =>
  byteLength === undefined ? {} : { bytes: byteLength }

const outcome = (
  event: { readonly status: number } | { readonly failure: Failure },
  audience: KeyKind
): Pick<WebhookAttempt, "status_code" | "error" | "cause"> => {
  if ("status" in event) return { status_code: event.status }
  const { failure } = event
  const status_code = failure._tag === "ReceiverRefused" ? failure.status : null
  return { status_code, error: attemptCause(failure), ...causeFor(failure, audience) }
}
