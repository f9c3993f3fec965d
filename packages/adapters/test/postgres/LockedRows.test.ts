/** Tests that a locked row delays only the requests that need it. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { JobStore, WorkQueue } from "@verbatim/core/ports"
import {
  attemptStarted,
  commitOf,
  creation,
  jobId,
  makeUploadJob,
  readWholeJob,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"

import { begun, holdJobs, token, untilWaiting } from "./HeldJobs.ts"
import { newSchema, oneClient, onPatientServer, statementTimeout } from "./TemporarySchema.ts"

/**
 * The job that has a locked row, locked work or a locked balance, and is the only one in its
 * workspace.
 */
const stuck = 5

const jobs = upTo(9).map((number) =>
  makeUploadJob(number, { workspaceId: workspaceId(number === stuck ? 2 : 1) })
)

/**
 * Creates nine jobs in two workspaces, and claims them for one worker. Returns the session that
 * locks their rows.
 */
const held = withWorkspace(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO verbatim_workspaces
    SELECT ${workspaceId(2)}, name, first_user_id, created_at, 0 FROM verbatim_workspaces`
  yield* holdJobs(jobs)
  return sql
})

const rows = ["job", "work", "balance"] as const

const lock = (sql: SqlClient.SqlClient, row: (typeof rows)[number]) =>
  ({
    job: sql`SELECT id FROM verbatim_jobs WHERE id = ${jobId(stuck)} FOR UPDATE`,
    work: sql`SELECT job_id FROM verbatim_work WHERE job_id = ${jobId(stuck)} FOR UPDATE`,
    balance: sql`SELECT id FROM verbatim_workspaces WHERE id = ${workspaceId(2)} FOR UPDATE`
  })[row]

describe("a locked row", () => {
  for (const row of rows) {
    it.live(`delays only the commit that needs that row (${row})`, () =>
      Effect.gen(function* () {
        const sql = yield* held
        const store = yield* JobStore
        const commit = (job: (typeof jobs)[number]) =>
          store.commit(commitOf(job, { ...begun, isLeaseKept: true, chargeMillis: 1_000 }))
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* lock(sql, row)
            const fibers = yield* Effect.forEach(jobs, (job) => Effect.forkChild(commit(job)))
            // The other commits end while the row is still locked.
            yield* Effect.forEach(fibers.toSpliced(stuck - 1, 1), Fiber.join)
            return fibers[stuck - 1]
          })
        )
        if (waiting !== undefined) yield* Fiber.join(waiting)
        for (const { id } of jobs) {
          assert.strictEqual((yield* store.history(id)).length, 2)
        }
        const { ledger } = yield* readWholeJob(jobId(1))
        assert.strictEqual(ledger.filter(({ millis }) => millis === -1_000).length, 8)
      }).pipe(Effect.provide(onPatientServer))
    )
  }

  it.live("delays only new jobs in its workspace, and only if that has a limit", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      const few = layer({ ...config, statementTimeout, maxConnections: 3 })
      yield* Effect.gen(function* () {
        const sql = yield* held
        const insert = (number: number, owner: number) =>
          Effect.flatMap(JobStore, (store) =>
            store.insert({
              ...creation(makeUploadJob(number, { workspaceId: workspaceId(owner) })),
              unfinishedMax: { workspace: 1_000, key: null }
            })
          )
        const many = upTo(100).map((number) => number + jobs.length)
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(
              hashtext('verbatim unfinished'), hashtext(${workspaceId(2)}))`
            const fibers = yield* Effect.forEach(many, (number) =>
              Effect.forkChild(insert(number, number % 2 === 0 ? 1 : 2))
            )
            const ofOwner = (rest: number) =>
              fibers.filter((_, index) => (many[index] ?? 0) % 2 === rest)
            // The other jobs are inserted while the workspace is still locked.
            yield* Effect.forEach(ofOwner(0), Fiber.join)
            return ofOwner(1)
          })
        )
        yield* Effect.forEach(waiting, Fiber.join)
        const [row] = yield* sql`SELECT COUNT(*) AS jobs FROM verbatim_jobs`
        assert.strictEqual(Number(row?.jobs), many.length + jobs.length)
      }).pipe(Effect.provide(Layer.merge(few, oneClient({ ...config, statementTimeout }))))
    })
  )

  const leases = jobs.map(({ id }) => ({ jobId: id, token }))

  it.live("prevents the renewal of its job's lease, but of no other lease", () =>
    Effect.gen(function* () {
      const sql = yield* held
      const queue = yield* WorkQueue
      const renewed = yield* sql.withTransaction(
        Effect.andThen(lock(sql, "work"), queue.renew(leases))
      )
      const others = jobs.flatMap(({ id }) => (id === jobId(stuck) ? [] : [id]))
      assert.deepStrictEqual([...renewed.extended].sort(), others)
      assert.deepStrictEqual([...renewed.busy], [jobId(stuck)])
    }).pipe(Effect.provide(onPatientServer))
  )

  it.live("lets leases be renewed and attempts end, even if all other sessions wait", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      yield* Effect.gen(function* () {
        const sql = yield* held
        const queue = yield* WorkQueue
        const store = yield* JobStore
        const commit = (job: (typeof jobs)[number], options: { readonly token?: typeof token }) =>
          store.commit(commitOf(job, { events: [attemptStarted()], ...options }))
        const [stuckJob, other] = [jobs[stuck - 1], jobs[0]]
        if (stuckJob === undefined || other === undefined) return assert.fail("no jobs")
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* lock(sql, "job")
            const fiber = yield* Effect.forkChild(commit(stuckJob, {}))
            yield* untilWaiting(sql, 1)
            // The last session for other requests is waiting too.
            const { extended } = yield* queue.renew(leases)
            assert.strictEqual(extended.size, jobs.length)
            yield* commit(other, { token })
            return fiber
          })
        )
        yield* Fiber.join(waiting)
      }).pipe(
        Effect.provide(Layer.merge(layer({ ...config, maxConnections: 1 }), oneClient(config)))
      )
    })
  )
})
