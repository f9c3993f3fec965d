/**
 * The promises of a `JobStore` about transcripts: whole or not there.
 */

import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import type { Transcript } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import { jobId } from "../../../samples/Ids.ts"
import {
  attemptStarted,
  deliveryStarted,
  receiverAccepted,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { makeFullJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { awkwardTexts, longText } from "../../../samples/SampleText.ts"
import { largeTranscript, transcript, transcriptOf } from "../../../samples/SampleTranscript.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** Commits a transcript to a new job and reads it back. */
const readBack = Effect.fnUntraced(function* (number: number, given: Transcript) {
  const store = yield* JobStore
  const running = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  yield* commitJob(running, { events: [transcriptProduced()], transcript: given })
  return yield* store.transcript(jobId(number))
})

/** Changes a value of somebody who keeps to no types. */
const spoil = ({ segments }: Transcript): void => {
  for (const segment of segments) Object.assign(segment, { text: "spoilt" })
}

/** What comes back of a transcript. */
export const transcripts: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> =
  workspaceCases(JobStore, {
    *"has no transcript before it was committed, and keeps it afterwards"(store) {
      const { delivery } = makeFullJob(1)
      const running = yield* commitJob(yield* insertJob(makeUploadJob(1, { delivery })), {
        events: [attemptStarted()]
      })
      const read = Effect.forEach([1, 2], (number) => store.transcript(jobId(number)))
      yield* read.pipe(Expect.gives("there is none", [Option.none(), Option.none()]))
      const produces = { events: [transcriptProduced()], transcript }
      const transcribed = yield* commitJob(running, produces)
      const expected = [Option.some(transcript), Option.none()]
      yield* Expect.that("there is one", yield* read).is(expected)
      const attempt = yield* commitJob(transcribed, { events: [deliveryStarted(5)] })
      yield* commitJob(attempt, { events: [receiverAccepted()] })
      yield* Expect.that("later commits leave it there", yield* read).is(expected)
    },
    *"keeps a transcript in which nothing was said"() {
      const silence = { durationMillis: 0, language: "en", segments: [] }
      yield* readBack(1, silence).pipe(Expect.gives("it is the one given", Option.some(silence)))
    },
    *"shares no transcript with those who give and read it"(store) {
      const given = structuredClone(transcript)
      const read = yield* readBack(1, given)
      spoil(given)
      Option.map(read, spoil)
      yield* store
        .transcript(jobId(1))
        .pipe(Expect.gives("it is still the one given", Option.some(transcript)))
    },
    *"keeps every text of a transcript as it is"() {
      const given = transcriptOf([...awkwardTexts, longText(1_000_000)])
      yield* readBack(1, given).pipe(Expect.gives("it is the one given", Option.some(given)))
    },
    *"keeps a transcript of 20 MB"() {
      const given = largeTranscript(20_000_000)
      const kept = yield* readBack(1, given)
      // As texts: a failure would otherwise show 20 MB.
      yield* Expect.holds(
        "it is the one given",
        JSON.stringify(Option.getOrNull(kept)) === JSON.stringify(given)
      )
    },
    *"keeps the transcripts of jobs apart"(store) {
      const given = [transcriptOf(["one"]), transcriptOf(["two", "three"]), transcript]
      yield* Effect.forEach(given, (each, index) => readBack(index + 1, each))
      yield* Expect.that(
        "each job has its own",
        yield* Effect.forEach([1, 2, 3], (number) => store.transcript(jobId(number)))
      ).is(given.map(Option.some))
    }
  })
