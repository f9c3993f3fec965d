/**
 * Tests that a copy has every row of the source, and that the refusal of a copy states the reason.
 */
import { assert, describe, it } from "@effect/vitest"
import { Migrations, StoreCopy } from "@verbatim/adapters/sql"
import { scaleRuns } from "@verbatim/testkit/laws"
import { awkwardTexts } from "@verbatim/testkit/samples"
import { Effect, Exit, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import * as Migrator from "#src/sql/Migrator"
import { later } from "../sql/SampleMigration.ts"
import {
  at,
  type Column,
  dump,
  type Endpoint,
  migrate,
  newPostgres,
  newSqlite
} from "./Databases.ts"

type Value = bigint | string | null
type Row = Readonly<Record<string, Value>>
type Rows = Readonly<Record<string, ReadonlyArray<Row>>>

/** The random values that a store's rows are built from. */
interface Seed {
  /** Target number of rows per table. Tables whose rows refer to other rows may get fewer. */
  readonly sizes: ReadonlyArray<number>
  readonly integers: fc.Stream<bigint>
  readonly texts: fc.Stream<string>
  readonly nulls: fc.Stream<boolean>
}

const json = fc.constantFrom(
  '{"a": 1.0,\n "a":9223372036854775807, "b":[ ]}',
  '{"seconds":0.1000000000000000055}',
  "[-0, 1e400]"
)

/** Seeds with up to sixty rows per table, so that some tables have several 16-row pages. */
const seeds: fc.Arbitrary<Seed> = fc.record({
  sizes: fc.infiniteStream(fc.oneof(fc.nat(3), fc.nat(60))).map((all) => [...all.take(40)]),
  integers: fc.infiniteStream(
    fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(0n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n))
    )
  ),
  texts: fc.infiniteStream(
    fc.oneof(
      fc.constantFrom(...awkwardTexts),
      json,
      fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""))
    )
  ),
  nulls: fc.infiniteStream(fc.boolean())
})

const references: Readonly<Record<string, string>> = {
  workspace_id: "verbatim_workspaces",
  preset_id: "verbatim_presets",
  version_id: "verbatim_preset_versions"
}

/** A reference to another table, and the columns that contain the key of the row there. */
interface Pointer {
  readonly to: string
  readonly columns: ReadonlyArray<string>
}

const toVersion: Pointer = { to: "verbatim_preset_versions", columns: ["preset_id", "version"] }

/** Tables whose rows refer to rows in another table by key. */
const pointers: Readonly<Record<string, Pointer>> = {
  verbatim_preset_designations: toVersion,
  verbatim_preset_label_moves: toVersion,
  verbatim_corrections: { to: "verbatim_transcript_chunks", columns: ["job_id", "ordinal"] },
  verbatim_search_texts: { to: "verbatim_transcript_chunks", columns: ["job_id", "ordinal"] },
  verbatim_corrected_segments: { to: "verbatim_corrections", columns: ["job_id"] },
  verbatim_correction_versions: { to: "verbatim_corrections", columns: ["job_id"] },
  verbatim_correction_changes: {
    to: "verbatim_correction_versions",
    columns: ["job_id", "version"]
  }
}

/** Columns that hold 32-bit integers, or integers that must add up to at most 64 bits. */
const narrow = new Set(["lane_hash", "format", "millis", "balance_millis"])

/** Returns the value that a table's constraints require, or undefined if they allow any value. */
const requiredValue = (
  rows: Rows,
  { column, number, table }: { readonly table: string; readonly column: string; number: number }
): Value | undefined => {
  if (table === "verbatim_media_mark" && column === "id") return 1n
  if (table === "verbatim_ledger" && column === "credit_id")
    return number % 2 === 0 ? `c${number}` : null
  if (table === "verbatim_ledger" && column === "job_id")
    return number % 2 === 0 ? null : `j${number}`
  const { [table]: pointer } = pointers
  if (pointer?.columns.includes(column) === true) {
    const there = rows[pointer.to] ?? []
    return there[number % there.length]?.[column]
  }
  if (column === "segment") return BigInt(number)
  const { [column]: referred = column === "job_id" ? "verbatim_jobs" : undefined } = references
  const isFree = table === "verbatim_idempotency_keys" && column === "job_id"
  if (referred !== undefined && !isFree) {
    const there = rows[referred] ?? []
    return there[number % there.length]?.id
  }
  if (["ordinal", "revision", "version", "entry"].includes(column)) return BigInt(number + 1) * 7n
  if (["id", "hash", "external_id", "slug", "key", "label"].includes(column))
    return `é${column}-${number}`
  return undefined
}

const needed: Readonly<Record<string, string>> = {
  verbatim_presets: "verbatim_workspaces",
  verbatim_preset_versions: "verbatim_presets",
  verbatim_preset_designations: "verbatim_preset_versions",
  verbatim_preset_label_moves: "verbatim_preset_versions",
  verbatim_preset_keys: "verbatim_preset_versions",
  verbatim_preset_changes: "verbatim_presets",
  verbatim_job_history: "verbatim_jobs",
  verbatim_transcript_chunks: "verbatim_jobs",
  verbatim_pieces: "verbatim_jobs",
  verbatim_corrections: "verbatim_transcript_chunks",
  verbatim_search_texts: "verbatim_transcript_chunks",
  verbatim_corrected_segments: "verbatim_corrections",
  verbatim_correction_versions: "verbatim_corrections",
  verbatim_correction_changes: "verbatim_correction_versions",
  verbatim_kept_bodies: "verbatim_jobs",
  verbatim_work: "verbatim_jobs"
}

/** Tables that have at most one row per job. */
const onePerJob = new Set(["verbatim_work", "verbatim_corrections", "verbatim_search_texts"])

const sizeOf = (rows: Rows, table: string, wanted: number): number => {
  if (table === "verbatim_media_mark") return Math.min(wanted, 1)
  const { [table]: other = table === "verbatim_workspaces" ? undefined : "verbatim_workspaces" } =
    needed
  const there = other === undefined ? 1 : (rows[other]?.length ?? 0)
  if (there === 0) return 0
  if (!onePerJob.has(table)) return wanted
  return Math.min(wanted, there, rows.verbatim_jobs?.length ?? 0)
}

/** Generates the rows for every table, in table order. */
const rowsOf = (seed: Seed, columns: ReadonlyArray<Column>): Rows => {
  const next = <A>(stream: fc.Stream<A>): A => stream.next().value
  const rows: Record<string, ReadonlyArray<Row>> = {}
  for (const [index, { name: table }] of StoreCopy.storeTables.entries()) {
    const own = columns.filter((column) => column.table === table)
    const value = (column: Column, number: number): Value => {
      const required = requiredValue(rows, { table, column: column.name, number })
      if (required !== undefined) return required
      if (column.isNullable && next(seed.nulls)) return null
      if (column.type === "TEXT") return next(seed.texts)
      const integer = next(seed.integers)
      return narrow.has(column.name) ? integer % 1_000_000n : integer
    }
    const size = sizeOf(rows, table, seed.sizes[index] ?? 0)
    rows[table] = Array.from({ length: size }, (_, number) =>
      Object.fromEntries(own.map((column) => [column.name, value(column, number)]))
    )
  }
  return rows
}

/** Inserts the generated rows into a database. */
const fill = Effect.fnUntraced(function* (rows: Rows) {
  const sql = yield* SqlClient.SqlClient
  const write = Effect.forEach(Object.entries(rows), ([table, all]) =>
    Effect.forEach(all, (row) => sql`INSERT INTO ${sql(table)} ${sql.insert(row)}`)
  )
  yield* sql.withTransaction(write)
})

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
