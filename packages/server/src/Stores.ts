/**
 * Opens the configured store. Only the chosen adapter is loaded, because without the others,
 * commands start 40 ms earlier.
 */
import type { PostgresStoresError } from "@verbatim/adapters/postgres"
import type { SqliteStoresError } from "@verbatim/adapters/sqlite"
import type { Stores } from "@verbatim/core/ports"
import { OperatorKeys } from "@verbatim/core/services"
import { platform } from "@verbatim/embed/platform"
import { Effect, Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import { type Refusal, refuse } from "./command/Refusal.ts"
import type { DatabaseLocation } from "./DatabaseLocation.ts"

/** The reason why the database could not be opened. */
export type StoresError = PostgresStoresError | SqliteStoresError

const loadLayer = <E>(load: () => Promise<Layer.Layer<Stores, E>>): Layer.Layer<Stores, E> =>
  Layer.unwrap(Effect.promise(load))

/** Opens the database and migrates it to the current schema. */
export const layer = (location: DatabaseLocation): Layer.Layer<Stores, StoresError> => {
  switch (location._tag) {
    case "Memory":
      return loadLayer(async () => (await import("@verbatim/adapters/memory")).layer)
    case "Postgres":
      return loadLayer(async () => (await import("@verbatim/adapters/postgres")).layer(location))
    case "Sqlite":
      return loadLayer(async () => (await import("@verbatim/adapters/sqlite")).layer(location))
  }
}

/**
 * Refuses a database that lacks migrations, if the settings forbid migrating it when it is opened.
 */
const requireMigrated = Effect.fnUntraced(function* (configuration: StoreSettings) {
  const { database, migrates } = configuration
  if (migrates || database._tag === "Memory") return
  const { findPending } = yield* Effect.promise(() => import("./doctor/StoreCheck.ts"))
  const names = yield* findPending(database)
  if (names.length === 0) return
  return yield* refuse(
    `Migrations are missing in the database (${names.join(", ")}), and VERBATIM_MIGRATE is ` +
      "false. Run `verbatim migrate`."
  )
})

type StoreSettings = Pick<Configuration, "database" | "migrates">

/** Opens the configured database, and migrates the schema unless the settings forbid this. */
export const configured = (
  configuration: StoreSettings
): Layer.Layer<Stores, Refusal | StoresError> =>
  Layer.provide(layer(configuration.database), Layer.effectDiscard(requireMigrated(configuration)))

/** Provides the services of the configured store, with its operator keys. */
export const operations = (configuration: Configuration) =>
  OperatorKeys.layer.pipe(Layer.provideMerge(Layer.merge(configured(configuration), platform)))
