/**
 * A job as the wire shows it: the answer to create and status requests, and the body of a webhook
 * without modifier. Field names, states and the legacy `status` are those of the specification.
 */
import { Option, Schema } from "effect"
import type * as Delivery from "../delivery/Delivery.ts"
import { Output, output } from "../rendering/Output.ts"
import * as Summary from "../summary/Summary.ts"
import type { Transcript } from "../transcription/Transcript.ts"
import type * as Transcription from "../transcription/Transcription.ts"
import { type BalanceMillis, toMinutes } from "../workspace/Balance.ts"
import { sentence } from "./Failure.ts"
import type { Job } from "./Job.ts"

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
export const WebhookStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED"])
export type WebhookStatus = typeof WebhookStatus.Type

/** The values of the legacy `status`. */
export const LegacyStatus = Schema.Literals([
  ...TranscriptionStatus.literals,
  "WEBHOOK_DELIVERED",
  "WEBHOOK_FAILED"
])
export type LegacyStatus = typeof LegacyStatus.Type

/** The status fields of a job. */
export const JobView = Schema.Struct({
  id: Schema.String,
  status: LegacyStatus,
  transcription_status: TranscriptionStatus,
  /** Present when a callback was given. */
  webhook_status: Schema.optionalKey(WebhookStatus),
  /** Present when a summary was asked for; `FAILED` and `SKIPPED` carry a reason. */
  summary_status: Schema.optionalKey(Schema.String),
  /** Present when the summary is `COMPLETED`. */
  summary: Schema.optionalKey(Schema.String),
  callback_id: Schema.optionalKey(Schema.String),
  /** Decimal minutes with two digits. */
  balance_minutes: Schema.String,
  /** Present when the transcript is there. */
  output: Schema.optionalKey(Output),
  /** Present when the transcription failed. */
  error: Schema.optionalKey(Schema.String)
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

/** With a callback, the transcript is not the end of it. */
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

/** An ended delivery of results shows in the legacy status; one of an error report never does. */
export const legacyStatus = (job: Job): LegacyStatus => {
  const areResults = job.transcription._tag === "Transcribed"
  if (areResults && job.delivery?._tag === "Delivered") return "WEBHOOK_DELIVERED"
  if (areResults && job.delivery?._tag === "Failed") return "WEBHOOK_FAILED"
  return transcriptionStatus(job)
}

/** The view of a job. The transcript is left out where the answer carries none. */
export const toView = (
  job: Job,
  shown: {
    readonly balanceMillis: BalanceMillis
    readonly transcript: Option.Option<Transcript>
  }
): JobView => ({
  id: job.id,
  status: legacyStatus(job),
  transcription_status: transcriptionStatus(job),
  ...(job.delivery === null ? {} : { webhook_status: webhookStatuses[job.delivery._tag] }),
  ...(job.summary === null ? {} : { summary_status: summaryStatus(job.summary) }),
  ...(job.summary?._tag === "Completed" ? { summary: job.summary.text } : {}),
  ...(job.request.callbackId === null ? {} : { callback_id: job.request.callbackId }),
  balance_minutes: toMinutes(shown.balanceMillis),
  ...(Option.isSome(shown.transcript) ? { output: output(shown.transcript.value) } : {}),
  ...(job.transcription._tag === "Failed" ? { error: sentence(job.transcription.failure) } : {})
})

/** Whether a view shows the end of everything: transcript, summary and webhook. */
export const isFinished = (view: JobView): boolean =>
  ["TRANSCRIBED", "COMPLETED", "FAILED"].includes(view.transcription_status) &&
  !["PENDING", "IN_PROGRESS"].includes(view.summary_status ?? "") &&
  view.webhook_status !== "PENDING"
