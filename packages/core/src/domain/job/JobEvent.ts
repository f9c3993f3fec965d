/**
 * What can happen to a job: something that happens to one of its machines, a wish to have its
 * webhook, its notice, or all of it, once more, or the end of what is kept of it.
 */
import { Effect, Schema } from "effect"
import * as Delivery from "../delivery/Delivery.ts"
import { Hook } from "../notice/Hook.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import * as Transcription from "../transcription/Transcription.ts"
import * as Keeping from "./Keeping.ts"

/** The webhook of an ended job is wanted again: a new delivery with a `webhook-id` of its own. */
const RedeliveryRequested = Schema.TaggedStruct("RedeliveryRequested", {
  at: Schema.DateTimeUtcFromMillis,
  id: Delivery.DeliveryId
})

/** Which hook a notice is for. The first version that had notices had one, and did not say. */
const hook = Hook.pipe(Schema.withDecodingDefaultKey(Effect.succeed("finished" as const)))

/** The host is to be told again of an ended job: a new notice with an id of its own. */
const NoticeRequested = Schema.TaggedStruct("NoticeRequested", {
  at: Schema.DateTimeUtcFromMillis,
  id: Notice.NoticeId
})

/**
 * A failed job is to run again from where it failed. Its webhook and its notices, if any, are new.
 */
const RetryRequested = Schema.TaggedStruct("RetryRequested", {
  at: Schema.DateTimeUtcFromMillis,
  /**
   * The id of the new delivery and of the new notice of the end; without them it tells one wish
   * from another.
   */
  id: Delivery.DeliveryId,
  /** The id of the new notice of the transcript, if there is to be one. */
  transcriptNoticeId: Schema.optionalKey(Notice.NoticeId)
})

/** An event of a job, with the machine it belongs to. */
export const JobEvent = Schema.TaggedUnion({
  Transcription: { event: Transcription.Event },
  Summary: { event: Summary.Event },
  Delivery: { event: Delivery.Event },
  Notice: { hook, event: Notice.Event },
  Redelivery: { event: RedeliveryRequested },
  Renotify: { hook, event: NoticeRequested },
  Retry: { event: RetryRequested },
  Keeping: { event: Keeping.Event }
})
export type JobEvent = typeof JobEvent.Type
