/**
 * The promises of a `JobStore` about the parts of transcripts: together they are the whole, and
 * each is short.
 */

import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { partLengthMax, type Transcript, type TranscriptPart } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import { jobId, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { awkwardTexts, longText } from "../../../samples/SampleText.ts"
import { largeTranscript, transcript, transcriptOf } from "../../../samples/SampleTranscript.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** Many more than any transcript here has: this tells a store that never ends from a slow one. */
const partsMax = 1_000

/** All parts of the transcript of a job; fewer when it disappears. */
const partsOf = Effect.fnUntraced(function* (number: number) {
  const store = yield* JobStore
  const parts: Array<TranscriptPart> = []
  let before: Option.Option<TranscriptPart> = Option.none()
  while (parts.length < partsMax) {
    before = yield* store.transcriptPart(jobId(number), before)
    if (Option.isNone(before)) return parts
    parts.push(before.value)
    if (Option.isNone(before.value.next)) return parts
  }
  return parts
})

/** Commits a transcript to a new job. */
const keepTranscript = Effect.fnUntraced(function* (number: number, given: Transcript) {
  const running = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  yield* commitJob(running, { events: [transcriptProduced()], transcript: given })
})

const joinParts = (parts: ReadonlyArray<TranscriptPart>) => ({
  durationMillis: parts.map(({ durationMillis }) => durationMillis),
  language: parts.map(({ language }) => language),
  segments: parts.flatMap(({ segments }) => segments)
})

const expectWhole = (parts: ReadonlyArray<TranscriptPart>, given: Transcript) =>
  // As texts: a failure would otherwise show megabytes.
  Expect.holds(
    "together they are the transcript",
    JSON.stringify(joinParts(parts)) ===
      JSON.stringify({
        durationMillis: parts.map(() => given.durationMillis),
        language: parts.map(() => given.language),
        segments: given.segments
      })
  )

const lengthOf = (segments: Transcript["segments"]): number => [...JSON.stringify(segments)].length

/** What comes back of a transcript part by part. */
export const parts: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = workspaceCases(
  JobStore,
  {
    *"answers a short transcript in one part, and none where there is no transcript"() {
      const silence = { durationMillis: 0, language: "en", segments: [] }
      yield* keepTranscript(1, transcript)
      yield* keepTranscript(2, silence)
      yield* Expect.that("each is one part", [
        yield* partsOf(1),
        yield* partsOf(2),
        yield* partsOf(3)
      ]).is([[{ ...transcript, next: Option.none() }], [{ ...silence, next: Option.none() }], []])
    },
    *"answers a long transcript in parts, each of them short"() {
      const given = largeTranscript(2_000_000)
      yield* keepTranscript(1, given)
      const found = yield* partsOf(1)
      yield* expectWhole(found, given)
      for (const { segments } of found) {
        yield* Expect.holds(
          "no part is longer than it may be",
          lengthOf(segments.slice(0, -1)) <= partLengthMax
        )
      }
      yield* Expect.holds(
        "only the last one may be without segments",
        found.slice(0, -1).every(({ segments }) => segments.length > 0)
      )
    },
    *"answers every text in parts as it is, however long one is"() {
      const marks = ["}]}", '"', "\\", '\\"]}', '"segments":[', "🎙🎙", "\u2028"]
      const texts = [...awkwardTexts, ...marks, longText(1_000_000), ...marks, longText(200_000)]
      const spoken = transcriptOf([...texts, ...awkwardTexts])
      const words = [{ startMillis: 1, endMillis: 2, text: '},{"startMillis":' }]
      const details = { hasSpaceBefore: false, words }
      const segments = spoken.segments.map((each) => ({ ...each, ...details }))
      const given = { ...spoken, segments }
      yield* keepTranscript(1, given)
      yield* expectWhole(yield* partsOf(1), given)
    },
    *"has no further part of a transcript that was deleted meanwhile"(store) {
      yield* keepTranscript(1, largeTranscript(1_000_000))
      const first = yield* store.transcriptPart(jobId(1), Option.none())
      yield* store.remove(workspaceId(1), jobId(1))
      yield* Expect.that("there is none", yield* store.transcriptPart(jobId(1), first)).is(
        Option.none()
      )
    }
  }
)
