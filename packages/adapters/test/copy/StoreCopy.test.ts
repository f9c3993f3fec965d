/**
 * Tests that a copy has every row of the source, and that the refusal of a copy states the reason.
 */

import { assert, describe, it } from "@effect/vitest"
import { Migrations, StoreCopy } from "@verbatim/adapters/sql"
import { scaleRuns } from "@verbatim/testkit/laws"
import { Effect, Exit, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import * as Migrator from "#src/sql/Migrator"
import { later } from "../sql/SampleMigration.ts"
import { at, dump, type Endpoint, migrate, newPostgres, newSqlite } from "./Databases.ts"
import { fill, rowsOf, seeds } from "./GeneratedStore.ts"

const copy = (from: Endpoint, to: Endpoint, options = { isInUse: false }) =>
  StoreCopy.copyStore({
    source: from.source(options),
    target: to.target,
    report: () => Effect.void
  })

/** The server has other sessions too, because other tests in this process use it. */
const concurrently = { isInUse: true }

const reasonOf = (effect: Effect.Effect<unknown, { readonly _tag: string }>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error instanceof StoreCopy.CopyError ? error.reason._tag : error._tag
  )

/** Creates a SQLite store with generated rows. */
const makeStore = Effect.fnUntraced(function* (seed: Parameters<typeof rowsOf>[0]) {
  const end = yield* newSqlite
  yield* migrate(end)
  const rows = rowsOf(seed, yield* end.columns.pipe(at(end)))
  yield* fill(rows).pipe(at(end))
  return end
})

const property = (
  run: (seed: Parameters<typeof rowsOf>[0]) => Effect.Effect<void, unknown, Scope.Scope>
) =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(seeds, (seed) => Effect.runPromise(Effect.scoped(run(seed)))),
      { numRuns: scaleRuns(8) }
    )
  )

/** Writes one row, so that the store counts as used. */
const oneKey = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql`INSERT INTO verbatim_operator_keys (id, hash, hint, created_at) VALUES ('k', 'h', '', 1)`
)

const store = Effect.fnUntraced(function* (make: Effect.Effect<Endpoint, never, Scope.Scope>) {
  const end = yield* make
  yield* migrate(end)
  yield* oneKey.pipe(at(end))
  return end
})

describe("a copy", () => {
  it.live("keeps every row from SQLite to Postgres and back", () =>
    property((seed) =>
      Effect.gen(function* () {
        const first = yield* makeStore(seed)
        const [between, last] = [yield* newPostgres, yield* newSqlite]
        yield* copy(first, between)
        yield* copy(between, last, concurrently)
        const wanted = yield* dump(first)
        assert.sameMembers(
          Object.keys(wanted),
          StoreCopy.storeTables.map(({ name }) => name)
        )
        assert.deepStrictEqual(yield* dump(between), wanted)
        assert.deepStrictEqual(yield* dump(last), wanted)
      })
    )
  )

  it.live("continues the source's sequence after several pages of rows", () =>
    Effect.gen(function* () {
      const first = yield* store(newSqlite)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO verbatim_workspaces (id, name, first_user_id, created_at,
          balance_millis)
          VALUES ('w', '', '', 1, 1200)`
        yield* sql`WITH RECURSIVE numbers (n) AS
          (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
          INSERT INTO verbatim_ledger
            (entry, workspace_id, credit_id, job_id, millis, at, recognised, reused, engine_millis)
          SELECT n, 'w', 'c' || n, NULL, 1, n, 0, 0, 0 FROM numbers`
      }).pipe(at(first))
      const second = yield* newPostgres
      const totals = yield* copy(first, second)
      assert.strictEqual(totals.get("rows of verbatim_ledger"), "1200")
      assert.strictEqual(totals.get(StoreCopy.unbalancedLedgers), "0")
      const [entry] = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO verbatim_ledger (workspace_id, credit_id, millis, at,
            recognised, reused, engine_millis)
          VALUES ('w', 'next', 1, 1, 0, 0, 0) RETURNING entry`
      ).pipe(at(second))
      assert.deepStrictEqual(entry, { entry: 1201 })
    })
  )

  it.live("drops the leases that processes hold in the old store", () =>
    Effect.gen(function* () {
      const first = yield* store(newSqlite)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO verbatim_jobs (id, workspace_id, revision, accepted_at,
          is_transcription_ended, state) VALUES ('j', '', 1, 0, 0, '')`
        yield* sql`INSERT INTO verbatim_work (job_id, kind, lane, due_at, lease_until, token,
          progress)
          VALUES ('j', 'Fetch', '', 5, 99999999999999, 'held', 7)`
      }).pipe(at(first))
      const second = yield* newSqlite
      yield* copy(first, second)
      const rows = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT due_at, lease_until, token, progress FROM verbatim_work`
      ).pipe(at(second))
      assert.deepStrictEqual(
        { ...rows[0] },
        { due_at: 5, lease_until: null, token: null, progress: null }
      )
    })
  )
})

describe("a NUL character in the source", () => {
  const withNul = Effect.gen(function* () {
    const first = yield* store(newSqlite)
    yield* Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE verbatim_operator_keys SET hint = 'a' || char(0) || 'b'`
    ).pipe(at(first))
    return first
  })

  it.live("is copied if the target can store it", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* withNul, yield* newSqlite]
      yield* copy(first, second)
      assert.deepStrictEqual(yield* dump(second), yield* dump(first))
    })
  )

  it.live("is reported if the target cannot store it, and the target then refuses to open", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* withNul, yield* newPostgres]
      const error = yield* Effect.flip(copy(first, second))
      assert.instanceOf(error, StoreCopy.CopyError)
      assert.deepInclude(error.reason, {
        _tag: "Unstorable",
        table: "verbatim_operator_keys",
        key: "k"
      })
      const refusal = yield* Effect.flip(Migrations.run.pipe(at(second)))
      assert.match(String(refusal.message), /an incomplete copy/)
    })
  )
})

describe("an invalid copy", () => {
  for (const [name, make] of [
    ["SQLite", newSqlite],
    ["Postgres", newPostgres]
  ] as const) {
    it.live(`is refused if the target ${name} is not empty, and leaves the target unchanged`, () =>
      Effect.gen(function* () {
        const [first, second] = [yield* store(newSqlite), yield* store(make)]
        const before = yield* dump(second)
        assert.strictEqual(yield* reasonOf(copy(first, second)), "TargetNotEmpty")
        assert.deepStrictEqual(yield* dump(second), before)
        yield* Migrations.run.pipe(at(second))
      })
    )

    it.live(`is refused from a ${name} into itself`, () =>
      Effect.gen(function* () {
        const end = yield* store(make)
        assert.strictEqual(yield* reasonOf(copy(end, end, concurrently)), "SameStore")
      })
    )

    it.live(`is refused from a ${name} with another schema version`, () =>
      Effect.gen(function* () {
        const [first, second] = [yield* store(make), yield* newSqlite]
        yield* Migrator.run([later]).pipe(at(first))
        assert.strictEqual(yield* reasonOf(copy(first, second, concurrently)), "SourceNewer")
        const forget = (id: number) =>
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`DELETE FROM verbatim_migrations WHERE migration_id = ${id}`
          ).pipe(at(first))
        yield* forget(1_000)
        yield* forget(1)
        assert.strictEqual(yield* reasonOf(copy(first, second, concurrently)), "SourceBehind")
      })
    )

    it.live(`is refused from a ${name} that is itself an unfinished copy`, () =>
      Effect.gen(function* () {
        const [first, second] = [yield* store(newSqlite), yield* make]
        const third = yield* newSqlite
        const dying = StoreCopy.copyStore({
          source: first.source(concurrently),
          target: second.target,
          report: ({ table }) =>
            table === "verbatim_jobs" ? Effect.die("the process died") : Effect.void
        })
        assert.isTrue(Exit.hasDies(yield* Effect.exit(dying)))
        assert.strictEqual(yield* reasonOf(copy(second, third, concurrently)), "SourceUnfinished")
        yield* copy(first, second)
        yield* copy(second, third, concurrently)
        assert.deepStrictEqual(yield* dump(third), yield* dump(first))
      })
    )
  }

  it.live("is refused from a SQLite file in use, unless an option allows it", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* store(newSqlite), yield* newSqlite]
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`SELECT 1 FROM verbatim_jobs`
        assert.strictEqual(yield* reasonOf(copy(first, second)), "SourceInUse")
        yield* copy(first, second, concurrently)
      }).pipe(at(first))
    })
  )
})
