import { assert, describe, it } from "@effect/vitest"
import * as Sql from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { JobStore } from "@verbatim/core/ports"
import type { Transcript, TranscriptPart } from "@verbatim/core/transcription"
import {
  attemptStarted,
  awkwardTexts,
  commitJob,
  foundFirst,
  insertJob,
  jobId,
  largeTranscript,
  makeUploadJob,
  transcriptOf,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"

const database = Sql.layer().pipe(
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.fresh
)

/** Stores a transcript in pieces of this many characters, as other versions may have cut it. */
const storedInPieces = Effect.fnUntraced(function* (given: Transcript, length: number) {
  const sql = yield* SqlClient.SqlClient
  yield* foundFirst
  const running = yield* commitJob(yield* insertJob(makeUploadJob(1)), {
    events: [attemptStarted()]
  })
  yield* commitJob(running, { events: [transcriptProduced()], transcript: given })
  const characters = Array.from(JSON.stringify(given))
  yield* sql`DELETE FROM verbatim_transcript_chunks`
  for (let at = 0; at < characters.length; at += length) {
    const content = characters.slice(at, at + length).join("")
    const row = { job_id: jobId(1), ordinal: at / length, content }
    yield* sql`INSERT INTO verbatim_transcript_chunks ${sql.insert(row)}`
  }
})

const segmentsRead = Effect.gen(function* () {
  const store = yield* JobStore
  const segments: Array<Transcript["segments"][number]> = []
  let part: Option.Option<TranscriptPart> = Option.none()
  do {
    part = yield* store.transcriptPart(jobId(1), part)
    if (Option.isSome(part)) segments.push(...part.value.segments)
  } while (Option.isSome(Option.flatMap(part, ({ next }) => next)))
  return segments
})

const texts = [...awkwardTexts, '"segments":[', '"}]}', "\\", '\\"', "🎙", "", ...awkwardTexts]

describe("a transcript in SQLite", () => {
  for (const length of [1, 2, 7, 64, 1_000_000]) {
    it.effect(`is read in parts when its pieces have ${length} characters`, () =>
      Effect.gen(function* () {
        const given = transcriptOf(texts)
        yield* storedInPieces(given, length)
        assert.deepStrictEqual(yield* segmentsRead, given.segments)
      }).pipe(Effect.provide(database))
    )
  }

  for (const length of [65_535, 65_536, 65_537, 1_048_576]) {
    it.effect(`is read in parts when it is long and its pieces have ${length} characters`, () =>
      Effect.gen(function* () {
        const given = largeTranscript(1_500_000)
        yield* storedInPieces(given, length)
        // As texts: a failure would otherwise show megabytes.
        assert.isTrue(JSON.stringify(yield* segmentsRead) === JSON.stringify(given.segments))
      }).pipe(Effect.provide(database))
    )
  }
})
