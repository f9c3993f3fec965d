/** A file is summed in steps; their sum is that of all lines at once. */
import { assert, describe, it } from "@effect/vitest"
import { layer as stores } from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { WorkspaceStore } from "@verbatim/core/ports"
import { dayMillis, type UsageBy } from "@verbatim/core/workspace"
import { foundFirst, workspaceId } from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const onSqlite = Layer.provideMerge(stores(), SqliteClient.layer({ filename: ":memory:" }))

/** Several steps, the last of which is not full. */
const lineCount = 20_000

/** Lines of the same time, so that steps end among them. */
const sameTime = 3_000

const firstDay = 10_000

const keyId = "0198c0de-0000-7000-8000-00000000000a"

const addLines = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH RECURSIVE numbers (number) AS (
      SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${lineCount - 1}
    )
    INSERT INTO verbatim_ledger (workspace_id, job_id, key_id, millis, at)
    SELECT ${workspaceId(1)}, 'job ' || number, CASE number % 3 WHEN 0 THEN NULL ELSE ${keyId} END,
      -number, ${firstDay * dayMillis} + (number / ${sameTime}) * ${dayMillis / 2}
    FROM numbers`
})

const readUsage = (by: UsageBy) =>
  Effect.flatMap(WorkspaceStore, (store) =>
    store.usage({
      workspaceId: by === "workspace" ? null : workspaceId(1),
      keyId: null,
      by,
      from: DateTime.makeUnsafe(firstDay * dayMillis),
      to: DateTime.makeUnsafe((firstDay + 100) * dayMillis),
      after: null,
      limit: 1_000
    })
  )

const sumOf = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, each) => sum + each, 0)

const numbersWhere = (is: (number: number) => boolean) =>
  Array.from({ length: lineCount }, (_, number) => number).filter(is)

describe("sums of a file", () => {
  it.live("count each line once, also where a step ends among lines of the same time", () =>
    Effect.gen(function* () {
      yield* foundFirst
      yield* addLines
      const days = yield* readUsage("day")
      assert.deepStrictEqual(
        days.map(({ chargedMillis, day, jobs }) => ({ chargedMillis, day, jobs })),
        [0, 1, 2, 3].map((after) => {
          const lines = numbersWhere((number) => Math.floor(number / sameTime / 2) === after)
          return { chargedMillis: sumOf(lines), day: firstDay + after, jobs: lines.length }
        })
      )
      const keys = yield* readUsage("key")
      assert.deepStrictEqual(
        keys.map(({ chargedMillis }) => chargedMillis),
        [numbersWhere((number) => number % 3 === 0), numbersWhere((number) => number % 3 > 0)].map(
          sumOf
        )
      )
      const [all, ...others] = yield* readUsage("workspace")
      assert.deepStrictEqual([all?.jobs, others], [lineCount, []])
    }).pipe(Effect.provide(onSqlite))
  )
})
