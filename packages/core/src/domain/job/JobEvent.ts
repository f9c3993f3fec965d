/**
 * The events of a job: those of its machines, requests for a redelivery or a retry, and the removal
 * of its parts.
 */
import { Schema } from "effect"
import * as Delivery from "../delivery/Delivery.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import * as Transcription from "../transcription/Transcription.ts"
import * as RetentionState from "./RetentionState.ts"

/** A redelivery of a finished job was requested. The new delivery has its own `webhook-id`. */
const RedeliveryRequested = Schema.TaggedStruct("RedeliveryRequested", {
  at: Schema.DateTimeUtcFromMillis,
  id: Delivery.DeliveryId
})

/**
 * A retry of a failed job was requested. It starts with the step that failed: the transcription or
 * the summary. If the job had a webhook or a notice, it gets a new one.
 */
const RetryRequested = Schema.TaggedStruct("RetryRequested", {
  at: Schema.DateTimeUtcFromMillis,
  /**
   * The id of the new delivery and the new notice. It also distinguishes requests for jobs that
   * have neither.
   */
  id: Delivery.DeliveryId
})

/** An event of a job, tagged with the state machine that it belongs to. */
export const JobEvent = Schema.TaggedUnion({
  Transcription: { event: Transcription.Event },
  Summary: { event: Summary.Event },
  Delivery: { event: Delivery.Event },
  Notice: { event: Notice.Event },
  Redelivery: { event: RedeliveryRequested },
  Retry: { event: RetryRequested },
  Keeping: { event: RetentionState.Event }
})
export type JobEvent = typeof JobEvent.Type
