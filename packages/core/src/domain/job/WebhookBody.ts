/**
 * What a webhook says. The same job gives the same bytes on every attempt: nothing in here reads a
 * clock or a balance; all of it is in the job.
 */
import { Option, Struct } from "effect"
import type { Frozen } from "../delivery/Delivery.ts"
import { type Rendering, render } from "../rendering/Rendering.ts"
import type { Receiver } from "../transcription/Receiver.ts"
import type { Transcript } from "../transcription/Transcript.ts"
import type { Job } from "./Job.ts"
import { toView } from "./JobView.ts"

/**
 * The body of a webhook: the transcript in the form of the modifier, or the status JSON where there
 * is no modifier. An error report is always the status JSON.
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
          // The notice of a host is not the receiver's concern.
          Struct.omit(toView(job, { balanceMillis: frozen.balanceMillis, transcript }), [
            "notice_status"
          ])
        )
      }
}
