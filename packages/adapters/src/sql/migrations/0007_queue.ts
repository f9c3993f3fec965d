/**
 * Work knows its workspace, so that claims can go round them; and rows say in which form they are.
 */
import { hash } from "@verbatim/core/job/Lane"
import { Array, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Dialect from "../Dialect.ts"

/** Lanes in one parameter: some megabytes at most. */
const lanesMax = 10_000

/** The workspace and the hash of the lane, of the work that is there. */
const fillRows = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`UPDATE work
    SET workspace_id = (SELECT workspace_id FROM jobs WHERE jobs.id = work.job_id)`
  const lanes = yield* sql<{ readonly lane: string }>`SELECT DISTINCT lane FROM work`
  yield* Effect.forEach(
    Array.chunksOf(lanes, lanesMax),
    (some) => {
      const hashes = JSON.stringify(some.map(({ lane }) => ({ lane, hash: hash(lane) })))
      const rows = sql.onDialectOrElse({
        pg: () => sql`jsonb_to_recordset(${hashes}::jsonb) AS hashes (lane TEXT, hash INTEGER)`,
        orElse: () => sql`(SELECT value ->> 'lane' AS lane, value ->> 'hash' AS hash
          FROM json_each(${hashes})) AS hashes`
      })
      return sql`UPDATE work SET lane_hash = hashes.hash FROM ${rows}
        WHERE hashes.lane = work.lane`
    },
    { discard: true }
  )
})

/**
 * Adds the columns, with values for rows that a program before this one writes, and the index of
 * the way round. Keys of it are small: a lane is there by its hash.
 */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { key } = Dialect.types(sql)

  yield* sql`ALTER TABLE work ADD COLUMN workspace_id ${key} NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE work ADD COLUMN lane_hash INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE work ADD COLUMN format INTEGER NOT NULL DEFAULT 1`
  yield* fillRows(sql)
  // SQLite had lane and lease in its index, to pass over them; now no claim passes over many, and
  // a lease is written without touching an index.
  yield* sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () =>
      Effect.andThen(
        sql`DROP INDEX work_by_due`,
        sql`CREATE INDEX work_by_due ON work (kind, due_at, job_id)`
      )
  })
  yield* sql`
    CREATE INDEX work_by_lane ON work (kind, workspace_id, lane_hash, due_at, job_id)`
})
