/**
 * The JSON form of a job: the response to create and status requests, and the body of a webhook
 * without a modifier. Field names, states and the legacy `status` follow the specification.
 */
import { DateTime, Option, Schema, Struct } from "effect"
import { FailureName, sentence } from "../attempt/Failure.ts"
import type * as Delivery from "../delivery/Delivery.ts"
import type { Frozen } from "../delivery/Delivery.ts"
import type * as Notice from "../notice/Notice.ts"
import { Output, output, type Rendering, render } from "../rendering/Rendering.ts"
import { optional, withDescription } from "../schema/ObjectSchemas.ts"
import * as Summary from "../summary/Summary.ts"
import type { Transcript } from "../transcription/Transcript.ts"
import type * as Transcription from "../transcription/Transcription.ts"
import type { Receiver } from "../transcription/TranscriptionRequest.ts"
import { type BalanceMillis, toMinutes } from "../workspace/Usage.ts"
import { isClosed, type Job } from "./Job.ts"

/** The values of `transcription_status`. */
export const TranscriptionStatus = Schema.Literals([
  "ACCEPTED",
  "IN_QUEUE",
  "IN_PROGRESS",
  "TRANSCRIBED",
  "COMPLETED",
  "FAILED"
])
export type TranscriptionStatus = typeof TranscriptionStatus.Type

/** The values of `webhook_status`. */
const WebhookStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED"])
type WebhookStatus = typeof WebhookStatus.Type

/** The values of `notice_status`. */
const NoticeStatus = Schema.Literals(["PENDING", "COMPLETED", "FAILED"])
type NoticeStatus = typeof NoticeStatus.Type

/** The values of the legacy `status`. */
export const LegacyStatus = Schema.Literals([
  ...TranscriptionStatus.literals,
  "WEBHOOK_DELIVERED",
  "WEBHOOK_FAILED"
])
export type LegacyStatus = typeof LegacyStatus.Type

/** The JSON form of a job. */
export const JobView = Schema.Struct({
  id: withDescription(Schema.String, "The id of the job: a UUID, in the order of acceptance."),
  status: withDescription(
    LegacyStatus,
    "The same as `transcription_status` until the delivery of results has ended, then " +
      "`WEBHOOK_DELIVERED` or `WEBHOOK_FAILED`. An error report never changes it."
  ),
  transcription_status: withDescription(
    TranscriptionStatus,
    "After a success, `TRANSCRIBED` with a callback, `COMPLETED` without one."
  ),
  webhook_status: optional(WebhookStatus, "Present when `callback_url` was given."),
  notice_status: optional(
    NoticeStatus,
    "The notice to the host of this server, sent after everything else. Present if the " +
      "host requests notices."
  ),
  summary_status: optional(
    Schema.String,
    "Present when `summary` was requested: `PENDING`, `IN_PROGRESS`, `COMPLETED`, " +
      "`FAILED: <reason>` or `SKIPPED: <reason>`."
  ),
  summary: optional(
    Schema.String,
    "Present when `summary_status` is `COMPLETED`, as long as it is stored."
  ),
  keywords_used: optional(
    Schema.Boolean,
    "Present with `keywords` once there is a transcript: whether the engine received " +
      "them. False if the engine accepts no keywords."
  ),
  speakers_used: optional(
    Schema.Boolean,
    "Present with `speakers`, `speakers_min` or `speakers_max` once there is a transcript: " +
      "whether the engine received one of them. False if the engine accepts none."
  ),
  callback_id: optional(Schema.String, "As it was sent."),
  balance_minutes: withDescription(
    Schema.String,
    "The balance of the workspace: decimal minutes with two digits."
  ),
  progress: optional(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    "The recognised fraction of the recording, a few seconds late. Present while the engine " +
      "works, if it reports progress."
  ),
  results_removed_at: optional(
    Schema.String,
    "ISO 8601 UTC with milliseconds. Present when transcript and summary are no longer stored, " +
      "because of the retention rule."
  ),
  output: optional(Output, "Present when there is a transcript. Times are seconds, as strings."),
  error: optional(Schema.String, "Present when the transcription failed.")
})
export type JobView = typeof JobView.Type

const transcriptionStatuses: Readonly<Record<Transcription.State["_tag"], TranscriptionStatus>> = {
  AwaitingMedia: "ACCEPTED",
  Fetching: "ACCEPTED",
  Queued: "IN_QUEUE",
  Running: "IN_PROGRESS",
  Transcribed: "COMPLETED",
  Failed: "FAILED"
}

const webhookStatuses: Readonly<Record<Delivery.State["_tag"], WebhookStatus>> = {
  Waiting: "PENDING",
  Sending: "PENDING",
  Delivered: "DELIVERED",
  Failed: "FAILED"
}

const noticeStatuses: Readonly<Record<Notice.State["_tag"], NoticeStatus>> = {
  Waiting: "PENDING",
  Calling: "PENDING",
  Completed: "COMPLETED",
  Failed: "FAILED"
}

/** Returns the status of a transcription: with a callback, `TRANSCRIBED` instead of `COMPLETED`. */
const transcriptionStatus = ({ delivery, transcription }: Job): TranscriptionStatus =>
  transcription._tag === "Transcribed" && delivery !== null
    ? "TRANSCRIBED"
    : transcriptionStatuses[transcription._tag]

const summaryStatus: (state: Summary.State) => string = Summary.State.match({
  Waiting: () => "PENDING",
  Running: () => "IN_PROGRESS",
  Completed: () => "COMPLETED",
  Skipped: ({ reason }) => `SKIPPED: ${reason}`,
  Failed: ({ failure }) => `FAILED: ${sentence(failure)}`
})

/**
 * Returns the legacy status, which reflects the delivery of results, but never the delivery of an
 * error report.
 */
export const legacyStatus = (job: Job): LegacyStatus => {
  const areResults = job.transcription._tag === "Transcribed"
  if (areResults && job.delivery?._tag === "Delivered") return "WEBHOOK_DELIVERED"
  if (areResults && job.delivery?._tag === "Failed") return "WEBHOOK_FAILED"
  return transcriptionStatus(job)
}

/** The failures by which a list of jobs can be filtered; a failed notice is not one of them. */
export const ListedFailure = Schema.Literals(
  FailureName.literals.filter((name) => name !== "ListenerFailed")
)

/**
 * Returns the failure by which a list finds a job: that of the transcription, or else the delivery,
 * or else the summary.
 */
export const failureName = ({ delivery, summary, transcription }: Job): FailureName | undefined => {
  if (transcription._tag === "Failed") return transcription.failure._tag
  if (transcription._tag !== "Transcribed") return undefined
  if (delivery?._tag === "Failed") return delivery.failure._tag
  return summary?._tag === "Failed" ? summary.failure._tag : undefined
}

/**
 * Returns the fields that show whether the engine received the keywords and a number of speakers.
 */
const toUsedHints = (
  state: Transcription.State
): Pick<JobView, "keywords_used" | "speakers_used"> => {
  if (state._tag !== "Transcribed") return {}
  const { areKeywordsUsed, isSpeakerCountUsed } = state
  return {
    ...(areKeywordsUsed === undefined ? {} : { keywords_used: areKeywordsUsed }),
    ...(isSpeakerCountUsed === undefined ? {} : { speakers_used: isSpeakerCountUsed })
  }
}

/** The facts that a response shows in addition to the job itself. */
export interface ShownWithJob {
  readonly balanceMillis: BalanceMillis
  readonly transcript: Option.Option<Transcript>
  readonly progress?: Option.Option<number>
}

/** Converts a job to its response form, with its transcript if one is given. */
export const toView = (job: Job, shown: ShownWithJob): JobView => ({
  id: job.id,
  status: legacyStatus(job),
  transcription_status: transcriptionStatus(job),
  ...(job.delivery === null ? {} : { webhook_status: webhookStatuses[job.delivery._tag] }),
  ...(job.notice === undefined ? {} : { notice_status: noticeStatuses[job.notice._tag] }),
  ...(job.summary === null ? {} : { summary_status: summaryStatus(job.summary) }),
  ...(job.summary?._tag === "Completed" && !isClosed(job) ? { summary: job.summary.text } : {}),
  ...toUsedHints(job.transcription),
  ...(job.request.callbackId === null ? {} : { callback_id: job.request.callbackId }),
  balance_minutes: toMinutes(shown.balanceMillis),
  ...(shown.progress !== undefined && Option.isSome(shown.progress)
    ? { progress: shown.progress.value }
    : {}),
  ...(job.keeping?._tag === "TranscriptGone"
    ? { results_removed_at: DateTime.formatIso(job.keeping.goneAt) }
    : {}),
  ...(Option.isSome(shown.transcript) ? { output: output(shown.transcript.value) } : {}),
  ...(job.transcription._tag === "Failed" ? { error: sentence(job.transcription.failure) } : {})
})

/**
 * Whether, according to a response, everything that a caller waits for has ended: transcript,
 * summary and webhook.
 */
export const isFinished = (view: JobView): boolean =>
  ["TRANSCRIBED", "COMPLETED", "FAILED"].includes(view.transcription_status) &&
  !["PENDING", "IN_PROGRESS"].includes(view.summary_status ?? "") &&
  view.webhook_status !== "PENDING"

// The same job always yields the same webhook body, because this code reads neither a clock nor a
// balance.

/**
 * Renders the body of a webhook: the transcript in the modifier's format, or the job's status as
 * JSON if there is no modifier. An error report is always the status.
 */
export const webhookBody = (webhook: {
  readonly job: Job
  readonly receiver: Receiver
  readonly frozen: Frozen
  readonly transcript: Option.Option<Transcript>
}): Rendering => {
  const { frozen, job, receiver, transcript } = webhook
  return receiver.modifier !== null && Option.isSome(transcript)
    ? render(receiver.modifier, transcript.value)
    : {
        contentType: "application/json",
        body: JSON.stringify(
          // The receiver does not see the status of the host's notice.
          Struct.omit(toView(job, { balanceMillis: frozen.balanceMillis, transcript }), [
            "notice_status"
          ])
        )
      }
}
