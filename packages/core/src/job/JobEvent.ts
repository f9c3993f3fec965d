/**
 * What can happen to a job: something that happens to one of its machines.
 */
import { Schema } from "effect"
import * as Delivery from "../delivery/Delivery.ts"
import * as Summary from "../summary/Summary.ts"
import * as Transcription from "../transcription/Transcription.ts"

/** An event of a job, with the machine it belongs to. */
export const JobEvent = Schema.TaggedUnion({
  Transcription: { event: Transcription.Event },
  Summary: { event: Summary.Event },
  Delivery: { event: Delivery.Event }
})
export type JobEvent = typeof JobEvent.Type
