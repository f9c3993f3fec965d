/** Jobs that have their transcripts. */
import type { Transcript } from "@verbatim/core/transcription"
import {
  attemptStarted,
  commitJob,
  insertJob,
  makeUploadJob,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect } from "effect"

/** Takes a new job to its transcript. */
export const insertTranscribed = Effect.fnUntraced(function* (
  number: number,
  transcript: Transcript
) {
  const job = yield* insertJob(makeUploadJob(number))
  const running = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(running, { events: [transcriptProduced()], transcript })
})
