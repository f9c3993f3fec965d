/**
 * Tests with query plans that no SQLite statement for a loop, a job or a preset scans a table, so
 * that finished jobs make none of them slower.
 */

import { assert, describe, it } from "@effect/vitest"
import { PresetStore, WorkerRegistry, WorkQueue } from "@verbatim/core/ports"
import {
  instant,
  leaseToken,
  makeCapacity,
  presetId,
  whole,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type Compiled, calls, everything, listsOfAll, statementsOf } from "../sql/StatementLife.ts"
import { withClient } from "./TemporaryDatabase.ts"

const planOf = Effect.fnUntraced(function* ([statement, params]: Compiled) {
  const sql = yield* SqlClient.SqlClient
  const explained = sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, params)
  return (yield* explained).map(({ detail }) => detail)
})

/** Returns the tables that a plan scans. Parameter lists and partial results do not count. */
const scanned = (plan: ReadonlyArray<string>): ReadonlyArray<string> =>
  plan.filter((step) =>
    /^SCAN (?!\(|(?:json_each|due|found|moved|one_kind|clock|CONSTANT ROW|\d+-ROW VALUES)\b)/.test(
      step
    )
  )

const database = withClient(":memory:")

describe("SQL statements on SQLite", () => {
  it.effect("find every row through an index", () =>
    Effect.gen(function* () {
      // The store's sweeps use the live clock, because the test clock jumps to the year of the
      // samples and would start a sweep for every minute in between.
      const context = yield* TestClock.withLive(Layer.build(database))
      yield* TestClock.setTime(DateTime.toEpochMillis(instant))
      const statements = yield* Effect.provideContext(statementsOf(everything), context)
      assert.isAtLeast(statements.length, 25)
      for (const statement of statements) {
        const plan = yield* Effect.provideContext(planOf(statement), context)
        // This statement checks whether there is any workspace, and reads a single row.
        if (/FROM verbatim_workspaces\s+ORDER BY/.test(statement[0])) continue
        assert.deepStrictEqual(scanned(plan), [], statement[0])
      }
    }).pipe(Effect.scoped)
  )

  it.live("read presets in list order", () =>
    Effect.gen(function* () {
      const presets = yield* PresetStore
      const list = presets.list(workspaceId(1), { offset: 2, limit: 1 })
      const plans = yield* Effect.forEach(yield* statementsOf(Effect.asVoid(list)), planOf)
      assert.deepStrictEqual(plans, [
        [
          "SEARCH verbatim_presets USING INDEX verbatim_presets_by_update (workspace_id=?)",
          "CORRELATED SCALAR SUBQUERY 1",
          "SEARCH verbatim_preset_versions USING INDEX " +
            "sqlite_autoindex_verbatim_preset_versions_2 (preset_id=? AND version=?)"
        ],
        ["SEARCH verbatim_presets USING INDEX verbatim_presets_by_update (workspace_id=?)"]
      ])
    }).pipe(Effect.provide(database))
  )

  it.live("read one page of jobs in list order", () =>
    Effect.gen(function* () {
      const statements = (yield* statementsOf(calls)).filter(([text]) =>
        /ORDER BY (?:(?:status|cause) DESC, )?id/.test(text)
      )
      assert.lengthOf(statements, 7)
      for (const statement of statements) {
        const [search, ...rest] = yield* planOf(statement)
        assert.match(
          search ?? "",
          /^SEARCH verbatim_jobs USING INDEX verbatim_jobs_by_(?:workspace|status|cause|callback) /
        )
        assert.deepStrictEqual(rest, [], statement[0])
      }
    }).pipe(Effect.provide(database))
  )

  it.live("read one page of all workspaces' jobs in list order", () =>
    Effect.gen(function* () {
      const plans = yield* Effect.forEach(yield* statementsOf(listsOfAll), planOf)
      assert.lengthOf(plans, 11)
      const byCallback = plans.pop()
      assert.match(
        byCallback?.[0] ?? "",
        /USING INDEX verbatim_jobs_by_callback \(callback_id=\?\)/
      )
      for (const plan of plans) {
        assert.lengthOf(plan, 1, plan.join("\n"))
        assert.match(
          plan[0] ?? "",
          /USING INDEX (?:sqlite_autoindex_verbatim_jobs_1|verbatim_jobs_by_any_(?:status|cause))\b/
        )
      }
    }).pipe(Effect.provide(database))
  )

  it.live("read only one preset's rows for its history, and in order", () =>
    Effect.gen(function* () {
      const presets = yield* PresetStore
      const reads = Effect.gen(function* () {
        yield* presets.versions(presetId(1), whole)
        yield* presets.designations(presetId(1), whole)
        yield* presets.designationCount(presetId(1))
        yield* presets.designatedAt(presetId(1), instant)
      })
      const plans = yield* Effect.forEach(yield* statementsOf(reads), planOf)
      assert.strictEqual(plans.length, 4)
      const sorts = plans.flat().filter((step) => step.includes("TEMP B-TREE"))
      assert.deepStrictEqual(sorts, [])
    }).pipe(Effect.provide(database))
  )

  it.live("read each row of work once, and no jobs, to count the backlog", () =>
    Effect.gen(function* () {
      const { survey } = yield* WorkerRegistry
      const plans = yield* Effect.forEach(yield* statementsOf(Effect.asVoid(survey)), planOf)
      const reads = plans.flat().flatMap((step) => {
        const [, table = ""] =
          /^(?:SCAN|SEARCH) (verbatim_(?:work|workers|job\w*))\b/.exec(step) ?? []
        return table === "" ? [] : [table]
      })
      assert.deepStrictEqual(
        reads.sort(),
        ["verbatim_work", "verbatim_workers"],
        plans.flat().join("\n")
      )
    }).pipe(Effect.provide(database))
  )

  it.live("count the jobs that ended in the last day from an index", () =>
    Effect.gen(function* () {
      const { ended } = yield* WorkerRegistry
      const [plan] = yield* Effect.forEach(yield* statementsOf(Effect.asVoid(ended)), planOf)
      assert.strictEqual(
        plan?.[0],
        "SEARCH verbatim_jobs USING COVERING INDEX verbatim_jobs_by_any_end " +
          "(ended_at>? AND ended_at<?)"
      )
    }).pipe(Effect.provide(database))
  )

  it.live("claim work in order of due times", () =>
    Effect.gen(function* () {
      const queue = yield* WorkQueue
      const claim = queue.claim({
        token: leaseToken(1),
        ...makeCapacity({ kinds: ["Transcribe"], limit: 1 })
      })
      const [statement] = yield* statementsOf(Effect.asVoid(claim))
      assert.isDefined(statement)
      const plan = statement === undefined ? [] : yield* planOf(statement)
      const reads = plan.filter((step) => step.includes("work_by_due"))
      assert.deepStrictEqual(reads, [
        "SEARCH verbatim_work USING INDEX verbatim_work_by_due (kind=? AND due_at<?)"
      ])
    }).pipe(Effect.provide(database))
  )
})
