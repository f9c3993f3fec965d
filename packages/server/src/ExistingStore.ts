/**
 * Checks whether a store exists. Commands that only read check this first, because they would
 * otherwise create an empty store when run in the wrong folder.
 */
import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { PostgresStoresConfig } from "@verbatim/adapters/postgres"
import type { SqliteStoresConfig } from "@verbatim/adapters/sqlite"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { DatabaseLocation } from "./DatabaseLocation.ts"

/** The table that a migration creates first, in every version of the schema. */
const firstTable = "verbatim_migrations"

/**
 * Whether the file contains a store. An unreadable file counts, because opening it then reports
 * what is wrong.
 */
const isInFile = ({ filename }: SqliteStoresConfig): Effect.Effect<boolean> =>
  Effect.try((): boolean => {
    if (statSync(filename, { throwIfNoEntry: false }) === undefined) return false
    const database = new DatabaseSync(filename, { readOnly: true })
    const question = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    try {
      return database.prepare(question).get(firstTable) !== undefined
    } finally {
      database.close()
    }
  }).pipe(Effect.orElseSucceed(() => true))

const isAtServer = (location: PostgresStoresConfig) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT 1 WHERE to_regclass(${firstTable}) IS NOT NULL`
    return rows.length > 0
  }).pipe(Effect.provide(clientAt(location)))

const clientAt = (location: PostgresStoresConfig) =>
  Effect.promise(() => import("@verbatim/adapters/postgres")).pipe(
    Effect.map(({ PostgresClient }) => PostgresClient.layer({ ...location, maxConnections: 1 })),
    Layer.unwrap
  )

/** Whether the configured database has Verbatim's tables. The check writes nothing. */
export const exists = (location: DatabaseLocation): Effect.Effect<boolean, SqlError.SqlError> => {
  switch (location._tag) {
    case "Memory":
      return Effect.succeed(true)
    case "Sqlite":
      return isInFile(location)
    case "Postgres":
      return isAtServer(location)
  }
}
