/**
 * Tables of a host under every name that ours have without a prefix, with columns and rows of its
 * own, and a look that fails when anything of them has changed.
 */
import { assert } from "@effect/vitest"
import { TableNames } from "@verbatim/adapters/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The prefix of these tests, with which no name of ours begins by itself. */
export const prefix = "vb_"

const names = [...TableNames.tableNames].toSorted()

/** Makes them, with an index under a name of ours. */
export const plant = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const name of names) {
    yield* sql.unsafe(`CREATE TABLE ${name} (note TEXT NOT NULL, amount INTEGER)`)
    yield* sql.unsafe(`INSERT INTO ${name} VALUES ('of the host', 1), ('${name}', NULL)`)
  }
  yield* sql`CREATE INDEX work_by_due ON jobs (note)`
})

const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.forEach(names, (name) =>
    Effect.map(sql.unsafe(`SELECT * FROM ${name} ORDER BY note`).values, (found) =>
      // A host's driver may give bigints.
      JSON.stringify([
        name,
        found.map((row) => row.map((cell) => (typeof cell === "bigint" ? Number(cell) : cell)))
      ])
    )
  )
  return rows
})

const planted = names.map((name) =>
  JSON.stringify([
    name,
    [
      ["of the host", 1],
      [name, null]
    ].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  ])
)

/** What SQLite has besides ours: the texts of the host, letter by letter. */
const inSqlite = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly sql: string }>`SELECT sql FROM sqlite_master
    WHERE name NOT LIKE ${`${prefix}%`} AND name NOT LIKE 'sqlite_%' ORDER BY name`
  return rows.map(({ sql: text }) => text)
})

const sqliteTexts = [
  ...names.map((name) => `CREATE TABLE ${name} (note TEXT NOT NULL, amount INTEGER)`),
  "CREATE INDEX work_by_due ON jobs (note)"
]

/** What Postgres has besides ours: tables with their columns, and indexes. */
const inPostgres = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly told: string }>`
    SELECT relkind::text || ' ' || relname::text || ' ' ||
      (SELECT string_agg(attname::text, ',' ORDER BY attnum)
      FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0) AS told
    FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind <> 't'
      AND relname <> 'clock' AND NOT starts_with(relname, ${prefix}) ORDER BY 1`
  return rows.map(({ told }) => told)
})

const postgresTexts = [...names.map((name) => `r ${name} note,amount`), "i work_by_due note"]

/** Fails when the host's tables, indexes or rows are not what they were, or there are more. */
export const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const found = yield* isPostgres ? inPostgres : inSqlite
  const known = isPostgres ? postgresTexts : sqliteTexts
  assert.deepStrictEqual(found.toSorted(), known.toSorted())
  assert.deepStrictEqual(yield* contents, planted)
})
