/** Deletions in a database: kept for a while, and never forgotten in silence. */
import { assert } from "@effect/vitest"
import type { FeedPlace } from "@verbatim/core/job"
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

const look = Effect.fnUntraced(function* (after?: FeedPlace) {
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

/** A transaction that somebody else leaves open on the same server may hold a deletion back. */
const lookFor = Effect.fnUntraced(function* (count: number, after: FeedPlace) {
  let stretch = yield* look(after)
  for (let looks = 0; looks < 50_000 && stretch.entries.length < count; looks += 1) {
    yield* Effect.yieldNow
    stretch = yield* look(after)
  }
  return stretch
})

/** Lets so many days pass for the deletions that there are. */
const pass = (days: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE verbatim_job_deletions SET at = at - ${days * dayMillis}`
  )

const sweep = Effect.gen(function* () {
  return yield* makeSweep(yield* SqlClient.SqlClient, yield* Statements).step
})

/** What holds on every database. */
export const forgetsDeletionsAloud = withWorkspace(function* () {
  const store = yield* JobStore
  const sql = yield* SqlClient.SqlClient
  const before = (yield* look()).through
  yield* Effect.forEach(upTo(3), (number) => insertJob(makeUploadJob(number)))
  yield* store.remove(workspaceId(1), jobId(1))
  yield* store.remove(workspaceId(1), jobId(2))
  const told = yield* lookFor(3, before)
  assert.deepStrictEqual(
    told.entries.map(({ entry, jobId: id }) => [id, Option.isSome(entry)]),
    [
      [jobId(3), true],
      [jobId(1), false],
      [jobId(2), false]
    ]
  )
  const [, first, second] = told.entries.map(({ place }) => place)
  if (first === undefined || second === undefined) return assert.fail("nothing was told")
  yield* pass(6)
  assert.strictEqual(yield* sweep, 0)
  assert.isTrue((yield* look(before)).isContinued)
  yield* pass(2)
  yield* store.remove(workspaceId(1), jobId(3))
  yield* lookFor(1, second)
  assert.strictEqual(yield* sweep, 2)
  assert.strictEqual(yield* sweep, 0)
  // Those who heard of both are told of the third; whoever did not is told to start anew.
  assert.isFalse((yield* look(before)).isContinued)
  assert.isFalse((yield* look(first)).isContinued)
  const late = yield* look({ ...second, ordinal: second.ordinal + 1, jobId: "", revision: 0 })
  assert.deepStrictEqual(
    late.entries.map(({ jobId: id }) => id),
    [jobId(3)]
  )
  const [{ count } = { count: -1 }] = yield* sql<{ readonly count: number }>`
    SELECT count(*) AS count FROM verbatim_job_deletions`
  assert.strictEqual(Number(count), 1)
  // Of a server whose transactions have smaller numbers, nothing was forgotten that it knows.
  const { ordinal } = (yield* look()).through
  yield* sql`UPDATE verbatim_job_feed SET forgotten = ${ordinal + 1_000_000}`
  assert.isTrue((yield* look(second)).isContinued)
})

/** A clock that was years ahead, and was set right. */
export const forgetsDeletionsToCome = withWorkspace(function* () {
  const store = yield* JobStore
  const before = (yield* look()).through
  yield* Effect.forEach(upTo(2), (number) => insertJob(makeUploadJob(number)))
  yield* store.remove(workspaceId(1), jobId(1))
  yield* pass(-5)
  yield* lookFor(2, before)
  assert.strictEqual(yield* sweep, 0)
  yield* pass(-5)
  yield* store.remove(workspaceId(1), jobId(2))
  yield* lookFor(2, before)
  assert.strictEqual(yield* sweep, 1)
  assert.isFalse((yield* look(before)).isContinued)
})
