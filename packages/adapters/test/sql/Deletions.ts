/**
 * Tests that a database keeps deletions for a while, and resets subscribers that have missed one.
 */
import { assert } from "@effect/vitest"
import type { FeedCursor } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import {
  insertJob,
  jobId,
  makeUploadJob,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeSweep } from "#src/sql/job/DeletionRows"
import { Statements } from "#src/sql/Statements"

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

/** Tests that old deletions are dropped, and that subscribers that have missed one are reset. */
export const forgetsOldDeletions = withWorkspace(function* () {
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
  const late = yield* readFeed({ ...second, ordinal: second.ordinal + 1, jobId: "", revision: 0 })
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
})

/** Tests that deletions are dropped if their clock was years ahead and is then corrected. */
export const forgetsFutureDeletions = withWorkspace(function* () {
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
})
