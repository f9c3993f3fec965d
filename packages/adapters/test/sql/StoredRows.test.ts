/** Tests stored rows, and how long deletions are kept, on each SQL database. */
import { assert, describe, it } from "@effect/vitest"
import { layer as postgres } from "@verbatim/adapters/postgres"
import { layer as sqlite } from "@verbatim/adapters/sqlite"
import type { FeedCursor } from "@verbatim/core/job"
import { JobStore, PresetStore, type Stores } from "@verbatim/core/ports"
import {
  attemptStarted,
  commitOf,
  creation,
  designate,
  designationsOf,
  findPreset,
  insertJob,
  jobId,
  later,
  makeDraft,
  makeUploadJob,
  pieceRecognised,
  revisionOf,
  transcript,
  transcriptProduced,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeSweep } from "#src/sql/job/DeletionRows"
import { Statements } from "#src/sql/Statements"
import { newSchema, onServer } from "../postgres/TemporarySchema.ts"
import { newFile, withClient } from "../sqlite/TemporaryDatabase.ts"

const dayMillis = 86_400_000

const readFeed = Effect.fnUntraced(function* (after?: FeedCursor) {
  const { changes } = yield* JobStore
  const { feed } = yield* changes({
    jobs: [],
    feed: Option.some({
      workspaceIds: [workspaceId(1)],
      after: Option.fromUndefinedOr(after),
      limit: 100,
      withProgress: false
    })
  })
  return yield* Effect.fromOption(feed)
})

/** Retry, because the open transaction of another test on this server can delay a deletion. */
const waitForEntries = Effect.fnUntraced(function* (count: number, after: FeedCursor) {
  let page = yield* readFeed(after)
  for (let looks = 0; looks < 50_000 && page.entries.length < count; looks += 1) {
    yield* Effect.yieldNow
    page = yield* readFeed(after)
  }
  return page
})

/** Backdates the existing deletions by the given number of days. */
const pass = (days: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE verbatim_job_deletions SET at = at - ${days * dayMillis}`
  )

const sweep = Effect.gen(function* () {
  return yield* makeSweep(yield* SqlClient.SqlClient, yield* Statements).step
})

/** Checks that a new client can read everything that the previous one wrote. */
const keepsEverything = Effect.fnUntraced(function* <E, R>(stores: Layer.Layer<Stores, E, R>) {
  const write = withWorkspace(function* () {
    yield* Effect.flatMap(PresetStore, (presets) => presets.append(makeDraft(1)))
    yield* Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(1))))
    return yield* findPreset()
  })
  const written = yield* Effect.provide(write, Layer.fresh(stores))
  const read = Effect.gen(function* () {
    const { id, workspaceId: owner } = makeUploadJob(1)
    const job = yield* Effect.flatMap(JobStore, (jobs) => jobs.find(owner, id))
    return { job, preset: yield* findPreset() }
  })
  const found = yield* Effect.provide(read, Layer.fresh(stores))
  assert.deepStrictEqual(found.preset, written)
  assert.deepStrictEqual(found.job, Option.some(makeUploadJob(1)))
})

const databases = {
  SQLite: {
    database: withClient(":memory:"),
    file: Effect.map(newFile, (filename) => sqlite({ filename }))
  },
  Postgres: { database: onServer, file: Effect.map(newSchema, (config) => postgres(config)) }
}

describe.each(Object.entries(databases))("a row on %s", (_, { database, file }) => {
  it.live("is still there when the database is closed and opened again", () =>
    Effect.flatMap(file, keepsEverything)
  )

  it.live("is named in the error if it cannot be decoded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* JobStore
      const { id, workspaceId: owner } = makeUploadJob(1)
      yield* jobs.insert(creation(makeUploadJob(1)))
      yield* sql`UPDATE verbatim_jobs SET state = '{"id":1}'`
      const error = yield* Effect.flip(jobs.find(owner, id))
      assert.strictEqual(error.reason._tag, "Unreadable")
      assert.include(String(error.cause), `jobs ${id} does not decode`)
    }).pipe(Effect.provide(database))
  )

  it.live("is left out if it is a piece of a recording and cannot be decoded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* JobStore
      yield* jobs.insert(creation(makeUploadJob(1)))
      const begun = commitOf(makeUploadJob(1), { events: [attemptStarted()] })
      yield* jobs.commit(begun)
      const result = { segments: [] }
      const piece = { index: 0, startMillis: 0, endMillis: 1_000, digest: "digest", result }
      yield* jobs.commit(commitOf(begun.next, { events: [pieceRecognised(0)], piece }))
      assert.deepStrictEqual(yield* jobs.pieces(begun.next.id), [piece])
      yield* sql`UPDATE verbatim_pieces SET content = '{"result":1}'`
      assert.deepStrictEqual(yield* jobs.pieces(begun.next.id), [])
      const found = yield* jobs.findPiece(begun.next.workspaceId, "digest")
      assert.deepStrictEqual(found, Option.none())
    }).pipe(Effect.provide(database))
  )

  it.live("holds each peak of a transcript as one byte, in base64", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* JobStore
      const job = makeUploadJob(1)
      yield* jobs.insert(creation(job))
      const begun = commitOf(job, { events: [attemptStarted()] })
      yield* jobs.commit(begun)
      const values = Array.from({ length: 2_000 }, (_, index) => (index % 256) - 128)
      const peaks = { sampleCount: 320_000, interval: 320, values }
      yield* jobs.commit(
        commitOf(begun.next, { events: [transcriptProduced()], transcript, peaks })
      )
      const [row] = yield* sql<{ readonly size: number }>`SELECT length(peaks) AS size
    FROM verbatim_transcript_chunks`
      assert.isBelow(row?.size ?? 0, (2_000 * 4) / 3 + 100)
      assert.deepStrictEqual(yield* jobs.peaks(job.id), Option.some(peaks))
    }).pipe(Effect.provide(database))
  )

  it.live("stays unchanged if a preset's designation cannot be stored", () =>
    withWorkspace(function* () {
      const store = yield* PresetStore
      const before = yield* store.append(makeDraft(1))
      const stray = { ...before.version, version: 2 }
      const revision = revisionOf(before.preset, { event: designate(stray, later(2)) })
      const { reason } = yield* Effect.flip(store.revise(revision))
      assert.strictEqual(reason._tag, "Unavailable")
      assert.deepStrictEqual(yield* findPreset(), Option.some(before))
      assert.strictEqual((yield* designationsOf(before.preset.id)).length, 1)
    }).pipe(Effect.provide(database))
  )
})

describe.each(Object.entries(databases))("the feed on %s", (_, { database }) => {
  it.live("drops old deletions, and resets subscribers that have missed one of them", () =>
    withWorkspace(function* () {
      const store = yield* JobStore
      const sql = yield* SqlClient.SqlClient
      const before = (yield* readFeed()).through
      yield* Effect.forEach(upTo(3), (number) => insertJob(makeUploadJob(number)))
      yield* store.remove(workspaceId(1), jobId(1))
      yield* store.remove(workspaceId(1), jobId(2))
      const reported = yield* waitForEntries(3, before)
      assert.deepStrictEqual(
        reported.entries.map(({ entry, jobId: id }) => [id, Option.isSome(entry)]),
        [
          [jobId(3), true],
          [jobId(1), false],
          [jobId(2), false]
        ]
      )
      const [, first, second] = reported.entries.map(({ cursor }) => cursor)
      if (first === undefined || second === undefined) return assert.fail("nothing was reported")
      yield* pass(6)
      assert.strictEqual(yield* sweep, 0)
      assert.isTrue((yield* readFeed(before)).isContinued)
      yield* pass(2)
      yield* store.remove(workspaceId(1), jobId(3))
      yield* waitForEntries(1, second)
      assert.strictEqual(yield* sweep, 2)
      assert.strictEqual(yield* sweep, 0)
      // A subscriber that received the first two deletions gets the third; any other subscriber is
      // reset.
      assert.isFalse((yield* readFeed(before)).isContinued)
      assert.isFalse((yield* readFeed(first)).isContinued)
      const late = yield* readFeed({
        ...second,
        ordinal: second.ordinal + 1,
        jobId: "",
        revision: 0
      })
      assert.deepStrictEqual(
        late.entries.map(({ jobId: id }) => id),
        [jobId(3)]
      )
      const [{ count } = { count: -1 }] = yield* sql<{ readonly count: number }>`
    SELECT count(*) AS count FROM verbatim_job_deletions`
      assert.strictEqual(Number(count), 1)
      // A cursor from another server can have a lower number, but must not count as older than this
      // server's dropped deletions.
      const { ordinal } = (yield* readFeed()).through
      yield* sql`UPDATE verbatim_job_feed SET forgotten = ${ordinal + 1_000_000}`
      assert.isTrue((yield* readFeed(second)).isContinued)
    }).pipe(Effect.provide(database))
  )

  it.live("drops deletions that were written while a clock was years ahead", () =>
    withWorkspace(function* () {
      const store = yield* JobStore
      const before = (yield* readFeed()).through
      yield* Effect.forEach(upTo(2), (number) => insertJob(makeUploadJob(number)))
      yield* store.remove(workspaceId(1), jobId(1))
      yield* pass(-5)
      yield* waitForEntries(2, before)
      assert.strictEqual(yield* sweep, 0)
      yield* pass(-5)
      yield* store.remove(workspaceId(1), jobId(2))
      yield* waitForEntries(2, before)
      assert.strictEqual(yield* sweep, 1)
      assert.isFalse((yield* readFeed(before)).isContinued)
    }).pipe(Effect.provide(database))
  )
})
