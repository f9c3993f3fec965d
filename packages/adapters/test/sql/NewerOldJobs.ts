/**
 * Tests the search for old jobs if a newer version has written some of them, and one is damaged.
 */
import { assert } from "@effect/vitest"
import { RetentionStore } from "@verbatim/core/ports"
import {
  insertJob,
  instant,
  jobId,
  makeOldJob,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"

/** Gives a job a format that this version does not know. */
export const inNewFormat = (number: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE verbatim_jobs SET format = 1000 WHERE id = ${jobId(number)}`
  )

/** Tests that damaged jobs and jobs in a newer format stay unchanged. */
export const skipsUnreadableJobs = withWorkspace(function* () {
  const store = yield* RetentionStore
  const sql = yield* SqlClient.SqlClient
  const old = upTo(4).map((number) => makeOldJob(number))
  yield* Effect.forEach(old, insertJob)
  yield* inNewFormat(1)
  yield* sql`UPDATE verbatim_jobs SET state = '{}' WHERE id = ${jobId(2)}`
  const query = { workspaceId: workspaceId(1), until: instant, after: Option.none(), limit: 2 }
  const page = yield* store.ended({ ...query, holding: "Transcript" })
  // Both rows count towards the page; otherwise, a page of unreadable rows would lead to a scan of
  // all others.
  assert.deepStrictEqual(page, [
    { id: jobId(1), at: instant, job: Option.none() },
    { id: jobId(2), at: instant, job: Option.none() }
  ])
  const after = Option.fromUndefinedOr(page.at(-1))
  const next = yield* store.ended({ ...query, holding: "Transcript", after })
  assert.deepStrictEqual(
    next.map(({ job }) => job),
    [old[2], old[3]].map(Option.fromUndefinedOr)
  )
  const removed = yield* store.remove(workspaceId(1), old)
  assert.notInclude(removed, jobId(1))
})
