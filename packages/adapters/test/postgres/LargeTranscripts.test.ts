/** Tests concurrent reads of transcripts, in which large ones are read separately. */
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import type { Transcript } from "@verbatim/core/transcription"
import {
  attemptStarted,
  commitJob,
  insertJob,
  jobId,
  makeUploadJob,
  transcriptProduced,
  upTo,
  withWorkspace
} from "@verbatim/testkit/samples"
import { Effect, Option, Ref } from "effect"
import { Statement } from "effect/sql"
import { atOnce } from "../atOnce.ts"
import { onServer } from "./TemporarySchema.ts"

/** Inserts a job, and commits all its events up to the transcript. */
const insertTranscribed = Effect.fnUntraced(function* (number: number, transcript: Transcript) {
  const job = yield* insertJob(makeUploadJob(number))
  const running = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(running, { events: [transcriptProduced()], transcript })
})

/** A transcript with the given number of segments of a thousand characters. */
const transcript = (segmentCount: number) => ({
  durationMillis: 60_000,
  language: "en" as const,
  segments: upTo(segmentCount).map((number) => ({
    startMillis: number,
    endMillis: number + 1,
    speaker: "speaker_0",
    text: `${number} `.padEnd(1_000, "é")
  }))
})

/** Numbers of segments that result in one small chunk, a few chunks, or forty chunks. */
const sizes = [1, 2, 100, 1, 2_500, 1]

describe("Transcripts on Postgres", () => {
  it.live("are read completely and concurrently, and large transcripts are read separately", () =>
    withWorkspace(function* () {
      const store = yield* JobStore
      for (const [index, size] of sizes.entries()) {
        yield* insertTranscribed(index + 1, transcript(size))
      }
      const count = yield* Ref.make(0)
      const seen: Statement.Transformer = (statement) =>
        Effect.as(
          Ref.update(count, (before) => before + 1),
          statement
        )
      const read = yield* Effect.forEach(
        upTo(sizes.length + 1),
        (number) => store.transcript(jobId(number)),
        atOnce
      ).pipe(Effect.provideService(Statement.CurrentTransformer, seen))
      assert.deepStrictEqual(read, [
        ...sizes.map((size) => Option.some(transcript(size))),
        Option.none()
      ])
      // One statement reads all small transcripts. The chunks of the other transcripts are counted,
      // and are read 16 at a time.
      assert.strictEqual(yield* Ref.get(count), 1 + 3 + 1 + 3)
    }).pipe(Effect.provide(onServer))
  )
})
