/**
 * What comes after the transcript, before anybody has begun it.
 */
import type { DateTime } from "effect"
import type { JobId } from "../attempt/JobId.ts"
import * as Delivery from "../delivery/Delivery.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import type { Receiver } from "../transcription/Receiver.ts"
import type { TranscriptionRequest } from "../transcription/TranscriptionRequest.ts"

/** Summary and delivery as a request asks for them. */
export const firstStates = (
  {
    id,
    request: { callback, summary }
  }: { readonly id: JobId; readonly request: TranscriptionRequest },
  { at, id: deliveryId }: { readonly at: DateTime.Utc; readonly id: Delivery.DeliveryId }
): { readonly summary: Summary.State | null; readonly delivery: Delivery.State | null } => ({
  summary:
    summary === null
      ? null
      : Summary.State.cases.Waiting.make({ id, type: summary, attempts: 0, dueAt: at }),
  delivery: callback === null ? null : newDelivery({ id: deliveryId, receiver: callback, at })
})

/** A delivery that nobody has begun. */
export const newDelivery = (birth: {
  readonly id: Delivery.DeliveryId
  readonly receiver: Receiver
  readonly at: DateTime.Utc
}): Delivery.State =>
  Delivery.State.cases.Waiting.make({
    id: birth.id,
    receiver: birth.receiver,
    attempts: 0,
    dueAt: birth.at,
    frozen: null
  })

/** A notice that nobody has begun. */
export const newNotice = (birth: {
  readonly id: Notice.NoticeId
  readonly at: DateTime.Utc
}): Notice.State => Notice.State.cases.Waiting.make({ id: birth.id, attempts: 0, dueAt: birth.at })
