/**
 * Tests that a response has `Retry-After` if a store failed temporarily, and does not have it if
 * our code has a bug.
 */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { JobStoreError, PresetStoreError, WorkspaceStoreError } from "@verbatim/core/ports"
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { retryHeaders } from "#src/serve/edge/FailureLog"

/** Runs a statement, and returns SQLite's error. */
const saidOf = (statement: string) =>
  Effect.try({
    try: () => {
      const database = new DatabaseSync(":memory:")
      database.exec("CREATE TABLE t (x INTEGER NOT NULL) STRICT; PRAGMA max_page_count = 2")
      database.exec(statement)
    },
    catch: (cause) =>
      new SqlError.SqlError({
        reason: SqlError.classifySqliteError(
          Object.assign(Object(cause), { errno: Reflect.get(Object(cause), "errcode") })
        )
      })
  }).pipe(Effect.flip)

const fill = [
  "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 99999)",
  "INSERT INTO t SELECT x FROM n"
].join(" ")

const statements: ReadonlyArray<readonly [what: string, statement: string, isOutage: boolean]> = [
  ["a database that is full", fill, true],
  ["a missing column", "SELECT y FROM t", false],
  ["a value that violates a constraint", "INSERT INTO t VALUES (NULL)", false]
]

describe("the headers of a failure", () => {
  for (const [what, statement, isOutage] of statements) {
    it.effect(`${isOutage ? "contain" : "omit"} Retry-After for ${what}`, () =>
      Effect.gen(function* () {
        const cause = yield* saidOf(statement)
        const reason = { _tag: "Unavailable" as const, cause }
        for (const error of [
          new JobStoreError({ operation: "insert", reason }),
          new PresetStoreError({ operation: "append", reason }),
          new WorkspaceStoreError({ operation: "findKey", cause })
        ]) {
          const headers = retryHeaders(Cause.die(error))
          assert.deepStrictEqual(headers, isOutage ? { "retry-after": "10" } : {}, error._tag)
        }
      })
    )
  }
})
