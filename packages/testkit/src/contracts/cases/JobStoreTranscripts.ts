/**
 * The promises of a `JobStore` about transcripts: whole or not there.
 */

import type { Transcript } from "@verbatim/core/domain/transcription/Transcript"
import { JobStore } from "@verbatim/core/ports/JobStore"
import type { WorkQueue } from "@verbatim/core/ports/WorkQueue"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { jobId } from "../../samples/Ids.ts"
import { delivered, produced, sending, started } from "../../samples/SampleEvent.ts"
import { demanding, uploaded } from "../../samples/SampleJob.ts"
import { awkwardTexts, longText } from "../../samples/SampleText.ts"
import { largeTranscript, transcript, transcriptOf } from "../../samples/SampleTranscript.ts"
import { founded } from "../../samples/SampleWorkspace.ts"
import { committed, inserted } from "../../samples/Stored.ts"
import type { Case } from "../Contract.ts"
import * as Expect from "../Expect.ts"

/** Commits a transcript to a new job and reads it back. */
const returned = Effect.fnUntraced(function* (number: number, given: Transcript) {
  const store = yield* JobStore
  const running = yield* committed(yield* inserted(uploaded(number)), { events: [started()] })
  yield* committed(running, { events: [produced()], transcript: given })
  return yield* store.transcript(jobId(number))
})

/** What comes back of a transcript. */
export const transcripts: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = [
  {
    title: "has no transcript before it was committed, and keeps it afterwards",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      const { delivery } = demanding(1)
      const running = yield* committed(yield* inserted(uploaded(1, { delivery })), {
        events: [started()]
      })
      const read = Effect.forEach([1, 2], (number) => store.transcript(jobId(number)))
      yield* Expect.that("there is none", {
        actual: yield* read,
        expected: [Option.none(), Option.none()]
      })
      const produces = { events: [produced()], transcript }
      const transcribed = yield* committed(running, produces)
      const expected = [Option.some(transcript), Option.none()]
      yield* Expect.that("there is one", { actual: yield* read, expected })
      const attempt = yield* committed(transcribed, { events: [sending(5)] })
      yield* committed(attempt, { events: [delivered()] })
      yield* Expect.that("later commits leave it there", { actual: yield* read, expected })
    })
  },
  {
    title: "keeps a transcript in which nothing was said",
    effect: Effect.gen(function* () {
      yield* founded
      const silence = { durationMillis: 0, language: "en", segments: [] }
      yield* Expect.that("it is the one given", {
        actual: yield* returned(1, silence),
        expected: Option.some(silence)
      })
    })
  },
  {
    title: "keeps every text of a transcript as it is",
    effect: Effect.gen(function* () {
      yield* founded
      const given = transcriptOf([...awkwardTexts, longText(1_000_000)])
      yield* Expect.that("it is the one given", {
        actual: yield* returned(1, given),
        expected: Option.some(given)
      })
    })
  },
  {
    title: "keeps a transcript of 20 MB",
    effect: Effect.gen(function* () {
      yield* founded
      const given = largeTranscript(20_000_000)
      const kept = yield* returned(1, given)
      // As texts: a failure would otherwise show 20 MB.
      yield* Expect.holds(
        "it is the one given",
        JSON.stringify(Option.getOrNull(kept)) === JSON.stringify(given)
      )
    })
  },
  {
    title: "keeps the transcripts of jobs apart",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      const given = [transcriptOf(["one"]), transcriptOf(["two", "three"]), transcript]
      yield* Effect.forEach(given, (each, index) => returned(index + 1, each))
      yield* Expect.that("each job has its own", {
        actual: yield* Effect.forEach([1, 2, 3], (number) => store.transcript(jobId(number))),
        expected: given.map(Option.some)
      })
    })
  }
]
