/** Rows that somebody has locked: whoever needs them waits alone. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { JobStore } from "@verbatim/core/ports/JobStore"
import { jobId, leaseToken, upTo, workspaceId } from "@verbatim/testkit/samples/Ids"
import { started } from "@verbatim/testkit/samples/SampleEvent"
import { commitOf, uploaded } from "@verbatim/testkit/samples/SampleJob"
import { founded } from "@verbatim/testkit/samples/SampleWorkspace"
import { claimed, inserted, storedWhole } from "@verbatim/testkit/samples/Stored"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema, oneClient } from "./TemporarySchema.ts"

const atOnce = { concurrency: "unbounded" } as const

const token = leaseToken(1)

/** The job whose row, work or balance is locked; it has a workspace of its own. */
const stuck = 5

const jobs = upTo(9).map((number) =>
  uploaded(number, { workspaceId: workspaceId(number === stuck ? 2 : 1) })
)

/** Nine jobs that a worker holds, in two workspaces. */
const held = Effect.gen(function* () {
  yield* founded
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO workspaces
    SELECT ${workspaceId(2)}, name, first_user_id, created_at, 0 FROM workspaces`
  yield* Effect.forEach(jobs, inserted, atOnce)
  yield* claimed(token)
})

const rows = ["job", "work", "balance"] as const

const lock = (sql: SqlClient.SqlClient, row: (typeof rows)[number]) =>
  ({
    job: sql`SELECT id FROM jobs WHERE id = ${jobId(stuck)} FOR UPDATE`,
    work: sql`SELECT job_id FROM work WHERE job_id = ${jobId(stuck)} FOR UPDATE`,
    balance: sql`SELECT id FROM workspaces WHERE id = ${workspaceId(2)} FOR UPDATE`
  })[row]

/** The stores in a new schema, and a session beside them. */
const onServer = Layer.unwrap(
  Effect.map(newSchema, (config) => Layer.merge(layer(config), oneClient(config)))
)

describe("A row that is locked", () => {
  for (const row of rows) {
    it.live(`of one commit (${row}) holds up no other`, () =>
      Effect.gen(function* () {
        yield* held
        const sql = yield* SqlClient.SqlClient
        const store = yield* JobStore
        const commit = (job: (typeof jobs)[number]) =>
          store.commit(
            commitOf(job, { events: [started()], token, isLeaseKept: true, chargeMillis: 1_000 })
          )
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* lock(sql, row)
            const fibers = yield* Effect.forEach(jobs, (job) => Effect.forkChild(commit(job)))
            // Those of the others end while the row is locked.
            yield* Effect.forEach(fibers.toSpliced(stuck - 1, 1), Fiber.join)
            return fibers[stuck - 1]
          })
        )
        if (waiting !== undefined) yield* Fiber.join(waiting)
        for (const { id } of jobs) {
          assert.strictEqual((yield* store.history(id)).length, 2)
        }
        const { ledger } = yield* storedWhole(jobId(1))
        assert.strictEqual(ledger.filter(({ millis }) => millis === -1_000).length, 8)
      }).pipe(Effect.provide(onServer))
    )
  }
})
