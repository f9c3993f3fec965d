/**
 * Tests with query plans that no Postgres statement for a loop, a job or a preset scans a table, so
 * that a long history makes none of them slower.
 */

import { assert, describe, it } from "@effect/vitest"
import { JobStore, WorkerRegistry, WorkQueue } from "@verbatim/core/ports"
import { jobId, leaseToken, makeCapacity, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type Compiled, everything, kinds, listsOfAll, statementsOf } from "../sql/StatementLife.ts"
import { onServer } from "./TemporarySchema.ts"

const literal = (value: unknown): string =>
  typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value ?? "NULL")

/** Returns the generic plan, because the stores' sessions use no other. */
const planOf = Effect.fnUntraced(function* ([statement, params]: Compiled) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`PREPARE planned AS ${statement}`)
  const given = params.length === 0 ? "" : `(${params.map(literal).join(", ")})`
  const rows = yield* sql.unsafe<Record<string, string>>(`EXPLAIN EXECUTE planned${given}`)
  yield* sql.unsafe("DEALLOCATE planned")
  return rows.map((row) => row["QUERY PLAN"] ?? "")
})

/** Makes the tables so large that a scan is never the cheapest plan. */
const history = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const many = sql.literal("generate_series(1, 20000) AS number")
  yield* sql`INSERT INTO verbatim_jobs
    SELECT 'job ' || number, ${workspaceId(1)}, 1, 1, 1, '{}' FROM ${many}`
  yield* sql`UPDATE verbatim_jobs SET ended_at = accepted_at, holding = 1, callback_id = ''
    WHERE id LIKE 'job %'`
  yield* sql`INSERT INTO verbatim_job_history SELECT 'job ' || number, 1, 1, NULL, '[]'
    FROM ${many}`
  yield* sql`INSERT INTO verbatim_transcript_chunks SELECT 'job ' || number, 0, '{}' FROM ${many}`
  yield* sql`INSERT INTO verbatim_pieces
    SELECT 'job ' || number, 0, ${workspaceId(1)}, 'digest ' || number, '{}' FROM ${many}`
  yield* sql`INSERT INTO verbatim_search_texts (job_id, ordinal, words, passages)
    SELECT 'job ' || number, 0, 'word' || number, '' FROM ${many}`
  yield* sql`INSERT INTO verbatim_corrections
    SELECT 'job ' || number, 0, 1, '{}', '[]', 1 FROM ${many}`
  yield* sql`INSERT INTO verbatim_correction_versions
    SELECT 'job ' || number, 1, 'id', 1, '', NULL, NULL, '[]', NULL, 1 FROM ${many}`
  yield* sql`INSERT INTO verbatim_correction_changes
    SELECT 'job ' || number, 1, 1, 0, '' FROM ${many}`
  yield* sql`INSERT INTO verbatim_corrected_segments
    SELECT 'job ' || number, 1, 0, '' FROM ${many}`
  yield* sql`INSERT INTO verbatim_kept_bodies (job_id, ordinal, delivery_id, content_type, content)
    SELECT 'job ' || number, 0, '', '', '' FROM ${many}`
  yield* sql`INSERT INTO verbatim_work
    SELECT 'job ' || number, 'Deliver', 'lane ' || number, 1, NULL, NULL FROM ${many}`
  yield* sql`INSERT INTO verbatim_workspaces SELECT 'workspace ' || number, '', '', 1, 0
    FROM ${many}`
  yield* sql`INSERT INTO verbatim_api_keys
    SELECT 'key ' || number, 'workspace ' || number, '', '', 'hash ' || number, '', 1, NULL
    FROM ${many}`
  yield* sql`INSERT INTO verbatim_operator_keys
    SELECT 'key ' || number, 'hash ' || number, '', NULL, 1 FROM ${many}`
  yield* sql`INSERT INTO verbatim_ledger
      (workspace_id, job_id, millis, at, recognised, reused, engine_millis)
    SELECT 'workspace ' || number, 'job ' || number, 1, 1, 0, 0, 0 FROM ${many}`
  yield* sql`INSERT INTO verbatim_presets
    SELECT 'preset ' || number, 'workspace ' || number, 'slug', '',
    NULL, '', 'Active', 1, 1, 'version ' || number, NULL, 1, 1, 1 FROM ${many}`
  yield* sql`INSERT INTO verbatim_preset_versions
      (id, preset_id, version, creator_id, system_prompt, config, created_at, updated_at)
    SELECT 'version ' || number, 'preset ' || number, 1, '', NULL, '{}', 1, 1 FROM ${many}`
  yield* sql`INSERT INTO verbatim_preset_designations SELECT 'preset ' || number, 1, 1, '', 1
    FROM ${many}`
  yield* sql`INSERT INTO verbatim_idempotency_keys
    SELECT 'workspace ' || number, 'key', '', 'job ' || number, 1 FROM ${many}`
  yield* sql`ANALYZE`
})

describe("SQL statements on Postgres", () => {
  it.live("find every row through an index, even with a long history", () =>
    Effect.gen(function* () {
      const statements = yield* statementsOf(everything)
      yield* history
      assert.isAtLeast(statements.length, 20)
      for (const statement of statements) {
        const plan = yield* planOf(statement)
        // This statement checks whether there is any workspace, and reads a single row.
        if (/FROM verbatim_workspaces\s+ORDER BY/.test(statement[0])) continue
        // A preview counts overdue jobs, and every job can be overdue.
        if (/^SELECT\s+count\(/.test(statement[0])) continue
        // The tables for the test clock and for the retention lock have one row each.
        const scans = plan.filter((line) =>
          /Seq Scan on (?!clock|verbatim_retention_turn)/.test(line)
        )
        assert.deepStrictEqual(scans, [], `${statement[0]}\n${plan.join("\n")}`)
      }
    }).pipe(Effect.provide(onServer))
  )

  it.live("read only matching jobs for a list of jobs with one status or cause", () =>
    Effect.gen(function* () {
      const jobs = yield* JobStore
      yield* history
      const query = { workspaceId: workspaceId(1), status: Option.some("FAILED" as const) }
      for (const after of [Option.none(), Option.some(jobId(1))]) {
        for (const [index, cause] of [["status"], ["cause", "AudioMissing" as const]] as const) {
          const list = jobs.list({ ...query, cause, after, limit: 2 })
          const [statement] = yield* statementsOf(Effect.asVoid(list))
          const plan = statement === undefined ? [] : yield* planOf(statement)
          const isByIndex = plan.some((line) => line.includes(`using verbatim_jobs_by_${index}`))
          assert.isTrue(isByIndex, plan.join("\n"))
        }
      }
    }).pipe(Effect.provide(onServer))
  )

  it.live("count the jobs that ended in the last day from an index", () =>
    Effect.gen(function* () {
      const { ended } = yield* WorkerRegistry
      yield* history
      const [plan = []] = yield* Effect.forEach(yield* statementsOf(Effect.asVoid(ended)), planOf)
      const isFromIndex = plan.some((line) => line.includes("verbatim_jobs_by_any_end"))
      assert.isTrue(isFromIndex, plan.join("\n"))
    }).pipe(Effect.provide(onServer))
  )

  it.live("read one page of all workspaces' jobs in list order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // The ids are in the order in which the jobs were inserted, like real ids, which contain a
      // timestamp.
      yield* sql`INSERT INTO verbatim_jobs
          (id, workspace_id, revision, accepted_at, is_transcription_ended, state, status, cause,
            callback_id)
        SELECT 'job ' || lpad(number::text, 5, '0'), 'workspace ' || number % 100, 1, 1, 1, '{}',
          CASE number % 7 WHEN 0 THEN 'FAILED' ELSE 'COMPLETED' END,
          CASE number % 7 WHEN 0 THEN 'Engine' || number % 3 ELSE '' END,
          CASE number % 9 WHEN 0 THEN 'call ' || number ELSE '' END
        FROM generate_series(1, 20000) AS number`
      yield* sql`ANALYZE verbatim_jobs`
      const plans = yield* Effect.forEach(yield* statementsOf(listsOfAll), planOf)
      assert.lengthOf(plans, 11)
      const byCallback = plans.pop()?.join("\n") ?? ""
      assert.include(byCallback, "verbatim_jobs_by_callback")
      for (const plan of plans) {
        const isInOrder = plan.some((line) =>
          /Index Scan Backward using verbatim_jobs_(?:pkey|by_any_status|by_any_cause) /.test(line)
        )
        assert.isTrue(isInOrder, plan.join("\n"))
      }
    }).pipe(Effect.provide(onServer))
  )

  it.live("claim work in order of due times, and sort only the claimed rows", () =>
    Effect.gen(function* () {
      const queue = yield* WorkQueue
      yield* history
      const claim = queue.claim({ token: leaseToken(1), ...makeCapacity({ kinds, limit: 4 }) })
      // The first statement finds that the queue is crowded, and the second visits the workspaces
      // one by one.
      const statements = yield* statementsOf(Effect.asVoid(Effect.exit(claim)))
      const statement = statements.find(([text]) => text.includes("WITH RECURSIVE"))
      assert.isDefined(statement)
      const plan = statement === undefined ? [] : yield* planOf(statement)
      const reads = plan.filter((line) => line.includes("Index Scan using verbatim_work_by_due"))
      assert.strictEqual(reads.length, 1, plan.join("\n"))
      // The second statement jumps from workspace to workspace, from lane to lane, and to the work
      // in each lane.
      const leaps = plan.filter((line) => line.includes("Scan using verbatim_work_by_lane"))
      assert.isAtLeast(leaps.length, 5, plan.join("\n"))
      assert.isFalse(
        plan.some((line) => line.includes("Seq Scan")),
        plan.join("\n")
      )
      assert.isTrue(plan.some((line) => line.includes("Index Scan using verbatim_jobs_pkey")))
    }).pipe(Effect.provide(onServer))
  )
})
