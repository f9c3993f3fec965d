/** Work knows its workspace, so that workspaces can take turns; and rows say their format. */
import { laneHash } from "@verbatim/core/job"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { batches, index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Values for rows that an older program writes: claims serve them, as one workspace. */
const addColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { key } = (yield* SchemaStatements).types(sql)
  yield* sql`ALTER TABLE verbatim_work ADD COLUMN workspace_id ${key} NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE verbatim_work ADD COLUMN lane_hash INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE verbatim_work ADD COLUMN format INTEGER NOT NULL DEFAULT 1`
})

/** Rows at a time. */
const batchMax = 1_000

interface Unfilled {
  readonly job_id: string
  readonly workspace_id: string
  readonly lane: string
}

/** The workspace and the hash of the lane of existing work. */
const fillRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Unfilled>`
    SELECT verbatim_work.job_id AS job_id, verbatim_jobs.workspace_id AS workspace_id, verbatim_work.lane AS lane
    FROM verbatim_work JOIN verbatim_jobs ON verbatim_jobs.id = verbatim_work.job_id
    WHERE verbatim_work.workspace_id = '' ORDER BY verbatim_work.job_id LIMIT ${batchMax}`
  const filled = JSON.stringify(rows.map((row) => ({ ...row, lane_hash: laneHash(row.lane) })))
  const values = (yield* SchemaStatements).fromJson(sql, {
    name: "filled",
    json: filled,
    columns: { job_id: "TEXT", workspace_id: "TEXT", lane_hash: "INTEGER" }
  })
  yield* sql`UPDATE verbatim_work SET workspace_id = filled.workspace_id, lane_hash = filled.lane_hash
    FROM ${values} WHERE verbatim_work.job_id = filled.job_id`
  return rows.length === batchMax
})

/** A lease is then written without touching an index. */
const narrowColumns = "kind, due_at, job_id"

/** Takes lane and lease out of the index where they were in it. */
const narrowIndex = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { dueColumns } = yield* SchemaStatements
  if (dueColumns === narrowColumns) return
  yield* sql`DROP INDEX verbatim_work_by_due`
  yield* sql`CREATE INDEX verbatim_work_by_due ON verbatim_work (${sql.literal(narrowColumns)})`
})

/**
 * Adds the columns and the index of the walk round. Its keys are small: a lane is in it by its
 * hash.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addColumns),
  batches(fillRows),
  statements(narrowIndex),
  index(
    "verbatim_work_by_lane",
    (sql) => sql`verbatim_work (kind, workspace_id, lane_hash, due_at, job_id)`
  )
]
