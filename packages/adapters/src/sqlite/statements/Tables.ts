/** Defines and changes the stores' tables in SQLite. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { MigrationRunner, SchemaStatements } from "../../sql/migration/Migration.ts"
import type { TableSyntax } from "../../sql/StoreTables.ts"
import { identifyFile } from "../DatabaseFile.ts"

const syntax: TableSyntax = {
  types: {
    int: "INTEGER",
    key: "TEXT",
    sequence: "INTEGER PRIMARY KEY",
    small: "INTEGER",
    text: "TEXT"
  },
  // SQLite checks types only in STRICT tables.
  storage: {
    Clustered: "STRICT, WITHOUT ROWID",
    Plain: "STRICT",
    Queue: "STRICT, WITHOUT ROWID"
  },
  indexWords: ({ column, key, table }) => {
    const index = `${table}_${column}`
    const add = `INSERT INTO ${index} (rowid, ${column}) VALUES (new.${key}, new.${column});`
    const remove = `INSERT INTO ${index} (${index}, rowid, ${column})
      VALUES ('delete', old.${key}, old.${column});`
    const trigger = (event: string, actions: string) =>
      `CREATE TRIGGER ${index}_${event.slice(0, 6)} AFTER ${event} ON ${table}
        BEGIN ${actions} END`
    return [
      // The index stores only which words a row has. Words are split only at spaces, because every
      // character of a word counts as a letter.
      `CREATE VIRTUAL TABLE ${index} USING fts5(${column}, content = '', columnsize = 0,
        detail = none, tokenize = "ascii tokenchars '@-'")`,
      trigger("INSERT", add),
      trigger("DELETE", remove),
      trigger(`UPDATE OF ${column}`, `${remove} ${add}`)
    ]
  }
}

/**
 * Makes the migration runner. SQLite has one writer at a time. Each writer begins by checking which
 * steps are left.
 */
const makeRunner = (sql: SqlClient.SqlClient): MigrationRunner => ({
  runExclusively: Effect.asSome,
  transaction: sql.withTransaction,
  indexBefore: () => Effect.void,
  indexWithin: ({ name, on }) => Effect.asVoid(sql`CREATE INDEX ${sql(name)} ON ${on(sql)}`)
})

/** The schema statements of SQLite. */
export const schema: SchemaStatements["Service"] = {
  syntax,
  hasTable: (sql, table) =>
    Effect.map(
      sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`,
      (rows) => rows.length > 0
    ),
  findTaken: (sql, names) =>
    Effect.map(
      // Tables, indexes and views share one namespace, and case does not matter.
      sql<{ readonly name: string }>`SELECT lower(name) AS name FROM sqlite_master`,
      (rows) => rows.map(({ name }) => name).filter((name) => names.includes(name))
    ),
  identify: (sql) =>
    Effect.flatMap(
      sql<{ readonly file: string | null }>`
        SELECT file FROM pragma_database_list WHERE name = 'main'`,
      ([main]) => identifyFile(main?.file ?? "")
    ),
  describeLocation: () => Effect.succeed("the database"),
  createHomeSchema: () => Effect.void,
  lockRecords: () => Effect.void,
  // Each writer assigns the ordinals of its own commits, because a SQLite column default cannot do
  // so.
  countCommits: () => Effect.void,
  makeRunner
}
