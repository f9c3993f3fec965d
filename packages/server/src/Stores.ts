/**
 * The stores that a configuration names.
 */
import * as Memory from "@verbatim/adapters/memory"
import * as Postgres from "@verbatim/adapters/postgres"
import * as Sqlite from "@verbatim/adapters/sqlite"
import type { Stores } from "@verbatim/core/ports"
import type { Layer } from "effect"
import type { DatabaseLocation } from "./DatabaseLocation.ts"

/** Why the database could not be opened. */
export type StoresError = Postgres.PostgresStoresError | Sqlite.SqliteStoresError

/** Opens the database, and brings it to the current schema. */
export const layer = (location: DatabaseLocation): Layer.Layer<Stores, StoresError> => {
  switch (location._tag) {
    case "Memory":
      return Memory.layer
    case "Postgres":
      return Postgres.layer(location)
    case "Sqlite":
      return Sqlite.layer(location)
  }
}
