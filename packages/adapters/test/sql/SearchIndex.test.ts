/** Tests the index of the words in transcripts. */
import { assert, describe, it } from "@effect/vitest"
import { CorrectionStore, JobStore } from "@verbatim/core/ports"
import {
  commitJob,
  correct,
  correctText,
  jobId,
  onRetention,
  recognised,
  transcribeJob,
  transcriptOf,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { onServer } from "../postgres/TemporarySchema.ts"
import { withClient } from "../sqlite/TemporaryDatabase.ts"

/** Number of jobs: more than a search reads by id. */
const jobCount = 5_100

/** Copies a job that has been transcribed. The copies have lower ids than the samples. */
const copies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const numbers = sql.literal(`(WITH RECURSIVE series (number) AS (
    SELECT 1 UNION ALL SELECT number + 1 FROM series WHERE number < ${jobCount})
    SELECT number FROM series) AS numbers`)
  const original = sql`verbatim_jobs.id = ${jobId(1)}`
  const id = sql.literal("'00000000 ' || number")
  yield* sql`INSERT INTO verbatim_jobs (id, workspace_id, revision, accepted_at,
      is_transcription_ended, state, status, format)
    SELECT ${id}, workspace_id, revision, accepted_at, 1, state, status, format
    FROM verbatim_jobs, ${numbers} WHERE ${original}`
  yield* sql`INSERT INTO verbatim_transcript_chunks (job_id, ordinal, content)
    SELECT ${id}, 0, content FROM verbatim_transcript_chunks, ${numbers}
    WHERE job_id = ${jobId(1)}`
  yield* sql`INSERT INTO verbatim_search_texts (job_id, ordinal, words, passages)
    SELECT ${id}, 0, words, passages FROM verbatim_search_texts, ${numbers}
    WHERE job_id = ${jobId(1)}`
})

const expired = { events: [onRetention("TranscriptExpired")], forgotten: { history: [] } }

const databases = { SQLite: withClient(":memory:"), Postgres: onServer }

describe.each(Object.entries(databases))("a search on %s", (_, database) => {
  it.live("finds the newest jobs that contain frequent words, page by page", () =>
    withWorkspace(function* () {
      const jobs = yield* JobStore
      for (const [number, text] of ["red boat", "blue boat", "red car", "red boat"].entries()) {
        yield* transcribeJob(number + 1, { transcript: transcriptOf([text]) })
      }
      const gone = yield* transcribeJob(9, { transcript: transcriptOf(["red boat"]) })
      yield* commitJob(gone, expired)
      yield* copies
      const search = (words: ReadonlyArray<string>, after?: number) =>
        Effect.map(
          jobs.list({
            workspaceId: workspaceId(1),
            status: Option.none(),
            after: Option.map(Option.fromUndefinedOr(after), jobId),
            limit: 2,
            words
          }),
          (found) => found.map(({ id }) => id)
        )
      assert.deepStrictEqual(yield* search(["red"]), [jobId(4), jobId(3)])
      assert.deepStrictEqual((yield* search(["red"], 3))[0], jobId(1))
      assert.deepStrictEqual(yield* search(["red", "boat"]), [jobId(4), jobId(1)])
      assert.deepStrictEqual(yield* search(["re"]), [])
      assert.deepStrictEqual(yield* search(["car"]), [jobId(3)])
    }).pipe(Effect.provide(database))
  )
})

describe("the word index on SQLite", () => {
  it.live("has no words of deleted transcripts, and none that a correction replaced", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      const [jobs, corrections] = [yield* JobStore, yield* CorrectionStore]
      const countRows = (word: string) =>
        Effect.map(
          sql`SELECT rowid FROM verbatim_search_texts_words(${word})`,
          (rows) => rows.length
        )
      for (const number of upTo(3)) yield* transcribeJob(number)
      assert.strictEqual(yield* countRows("hello"), 3)
      yield* corrections.commit(correct(recognised(2), correctText(0, "Hi."), { number: 1 }))
      yield* jobs.remove(workspaceId(1), jobId(1))
      assert.deepStrictEqual([yield* countRows("hello"), yield* countRows("hi")], [1, 1])
      const found = Option.getOrThrow(yield* jobs.find(workspaceId(1), jobId(3)))
      yield* commitJob(found, expired)
      assert.strictEqual(yield* countRows("hello"), 0)
    }).pipe(Effect.provide(databases.SQLite))
  )
})
