/**
 * Work knows its workspace, so that claims can go round them; and rows say in which form they are.
 */
import { hash } from "@verbatim/core/domain/job/Lane"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Dialect from "../Dialect.ts"
import { batches, index, type Step, statements } from "../Migration.ts"

/** Values for rows that a program before this one writes: claims serve them, as one workspace. */
const addColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { key } = Dialect.types(sql)
  yield* sql`ALTER TABLE work ADD COLUMN workspace_id ${key} NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE work ADD COLUMN lane_hash INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE work ADD COLUMN format INTEGER NOT NULL DEFAULT 1`
})

/** Rows at a time. */
const batchMax = 1_000

interface Unfilled {
  readonly job_id: string
  readonly workspace_id: string
  readonly lane: string
}

/** The workspace and the hash of the lane, of the work that is there. */
const fillRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Unfilled>`
    SELECT work.job_id AS job_id, jobs.workspace_id AS workspace_id, work.lane AS lane
    FROM work JOIN jobs ON jobs.id = work.job_id
    WHERE work.workspace_id = '' ORDER BY work.job_id LIMIT ${batchMax}`
  const filled = JSON.stringify(rows.map((row) => ({ ...row, lane_hash: hash(row.lane) })))
  const values = sql.onDialectOrElse({
    pg: () => sql`jsonb_to_recordset(${filled}::jsonb)
      AS filled (job_id TEXT, workspace_id TEXT, lane_hash INTEGER)`,
    orElse: () => sql`(SELECT value ->> 'job_id' AS job_id,
        value ->> 'workspace_id' AS workspace_id, value ->> 'lane_hash' AS lane_hash
      FROM json_each(${filled})) AS filled`
  })
  yield* sql`UPDATE work SET workspace_id = filled.workspace_id, lane_hash = filled.lane_hash
    FROM ${values} WHERE work.job_id = filled.job_id`
  return rows.length === batchMax
})

/**
 * SQLite had lane and lease in its index, to pass over them; now no claim passes over many, and a
 * lease is written without touching an index.
 */
const narrowIndex = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () =>
      Effect.andThen(
        sql`DROP INDEX work_by_due`,
        sql`CREATE INDEX work_by_due ON work (kind, due_at, job_id)`
      )
  })
})

/**
 * Adds the columns and the index of the way round. Keys of it are small: a lane is there by its
 * hash.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addColumns),
  batches(fillRows),
  statements(narrowIndex),
  index("work_by_lane", (sql) => sql`work (kind, workspace_id, lane_hash, due_at, job_id)`)
]
