/**
 * How SQLite spells the tables of the stores, and changes them.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SchemaStatements, Turn } from "../../sql/migration/Migration.ts"
import type { Spelling } from "../../sql/StoreTables.ts"
import { identifyFile } from "../DatabaseFile.ts"

const spelling: Spelling = {
  types: {
    int: "INTEGER",
    key: "TEXT",
    sequence: "INTEGER PRIMARY KEY",
    small: "INTEGER",
    text: "TEXT"
  },
  // SQLite checks types only when told to.
  storage: {
    Clustered: "STRICT, WITHOUT ROWID",
    Plain: "STRICT",
    Queue: "STRICT, WITHOUT ROWID"
  }
}

/** One writer at a time, who first checks what is left to do. */
const turn = (sql: SqlClient.SqlClient): Turn => ({
  take: Effect.asSome,
  transaction: sql.withTransaction,
  indexBefore: () => Effect.void,
  indexWithin: ({ name, on }) => Effect.asVoid(sql`CREATE INDEX ${sql(name)} ON ${on(sql)}`)
})

/** What migrations say to SQLite. */
export const schema: SchemaStatements["Service"] = {
  spelling,
  fromJson: (sql, { columns, json, name }) => {
    const values = Object.keys(columns).map((column) => `value ->> '${column}' AS ${column}`)
    return sql`(SELECT ${sql.literal(values.join(", "))}
      FROM json_each(${json})) AS ${sql.literal(name)}`
  },
  isThere: (sql, table) =>
    Effect.map(
      sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`,
      (rows) => rows.length > 0
    ),
  findTaken: (sql, names) =>
    Effect.map(
      // Tables, indexes and views share their names, and capital letters tell none apart.
      sql<{ readonly name: string }>`SELECT lower(name) AS name FROM sqlite_master`,
      (rows) => rows.map(({ name }) => name).filter((name) => names.includes(name))
    ),
  identify: (sql) =>
    Effect.flatMap(
      sql<{ readonly file: string | null }>`
        SELECT file FROM pragma_database_list WHERE name = 'main'`,
      ([main]) => identifyFile(main?.file ?? "")
    ),
  placeOf: () => Effect.succeed("the database"),
  makeHome: () => Effect.void,
  lockRecords: () => Effect.void,
  // Each writer counts by itself: no default of SQLite can.
  countCommits: () => Effect.void,
  turn
}
