/**
 * What can happen to a job: something that happens to one of its machines, a wish to have its
 * webhook, or all of it, once more, or the end of what is kept of it.
 */
import { Schema } from "effect"
import * as Delivery from "../delivery/Delivery.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import * as Transcription from "../transcription/Transcription.ts"
import * as Keeping from "./Keeping.ts"

/** The webhook of an ended job is wanted again: a new delivery with a `webhook-id` of its own. */
const RedeliveryRequested = Schema.TaggedStruct("RedeliveryRequested", {
  at: Schema.DateTimeUtcFromMillis,
  id: Delivery.DeliveryId
})

/**
 * A failed job is to run again from where it failed. Its webhook and its notice, if any, are new.
 */
const RetryRequested = Schema.TaggedStruct("RetryRequested", {
  at: Schema.DateTimeUtcFromMillis,
  /** The id of the new delivery and notice; without them it tells one wish from another. */
  id: Delivery.DeliveryId
})

/** An event of a job, with the machine it belongs to. */
export const JobEvent = Schema.TaggedUnion({
  Transcription: { event: Transcription.Event },
  Summary: { event: Summary.Event },
  Delivery: { event: Delivery.Event },
  Notice: { event: Notice.Event },
  Redelivery: { event: RedeliveryRequested },
  Retry: { event: RetryRequested },
  Keeping: { event: Keeping.Event }
})
export type JobEvent = typeof JobEvent.Type
