/**
 * Events of a job: the events of its machines, requests for a redelivery or a retry, and the
 * removal of its kept parts.
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
 * A retry of a failed job was requested, starting with the step that failed: the transcription or
 * the summary. A retried job gets a new webhook and a new notice, if it had them before.
 */
const RetryRequested = Schema.TaggedStruct("RetryRequested", {
  at: Schema.DateTimeUtcFromMillis,
  /**
   * The id of the new delivery and notice. If the job has neither, the id distinguishes the
   * requests.
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
