/** The promises of a `JobStore` about peaks: they come and go with their transcript. */
import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import type { Peaks, Transcript } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import { jobId, workspaceId } from "../../../samples/Ids.ts"
import {
  attemptStarted,
  deliveryStarted,
  onKeeping,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { makeFullJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { largeTranscript, transcript } from "../../../samples/SampleTranscript.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const peaks: Peaks = { sampleCount: 40, interval: 16, values: [-128, 127, -1, 0, 0, 0] }

/** Commits a transcript to a new job. */
const keep = Effect.fnUntraced(function* (
  number: number,
  given: { readonly transcript: Transcript; readonly peaks?: Peaks }
) {
  const { delivery } = makeFullJob(number)
  const running = yield* commitJob(yield* insertJob(makeUploadJob(number, { delivery })), {
    events: [attemptStarted()]
  })
  return yield* commitJob(running, { events: [transcriptProduced()], ...given })
})

const read = (numbers: ReadonlyArray<number>) =>
  Effect.flatMap(JobStore, (store) =>
    Effect.forEach(numbers, (number) => store.peaks(jobId(number)))
  )

/** What comes back of peaks. */
export const peakCases: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = workspaceCases(
  JobStore,
  {
    *"keeps the peaks that come with a transcript, of one piece or many"(store) {
      const job = yield* keep(1, { transcript, peaks })
      yield* keep(2, { transcript: largeTranscript(200_000), peaks })
      yield* keep(3, { transcript })
      yield* commitJob(job, { events: [deliveryStarted(5)] })
      yield* read([1, 2, 3, 4]).pipe(
        Expect.gives("each has its own", [
          Option.some(peaks),
          Option.some(peaks),
          Option.none(),
          Option.none()
        ])
      )
      yield* store
        .transcript(jobId(1))
        .pipe(Expect.gives("the transcript is as it was", Option.some(transcript)))
    },
    *"has no peaks once their transcript is forgotten or their job deleted"(store) {
      yield* keep(1, { transcript, peaks })
      const running = yield* commitJob(yield* insertJob(makeUploadJob(2)), {
        events: [attemptStarted()]
      })
      const job = yield* commitJob(running, {
        events: [transcriptProduced()],
        transcript,
        peaks
      })
      yield* store.remove(workspaceId(1), jobId(1))
      yield* commitJob(job, {
        events: [onKeeping("TranscriptExpired", later(9))],
        forgotten: { history: [] }
      })
      yield* read([1, 2]).pipe(Expect.gives("they are gone", [Option.none(), Option.none()]))
    }
  }
)
