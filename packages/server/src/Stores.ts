/**
 * The stores that a configuration names. Each is loaded where it is chosen: the commands of an
 * operator start 40 ms earlier without the others.
 */
import type { PostgresStoresError } from "@verbatim/adapters/postgres"
import type { SqliteStoresError } from "@verbatim/adapters/sqlite"
import type { Stores } from "@verbatim/core/ports"
import { OperatorKeys } from "@verbatim/core/services"
import { platform } from "@verbatim/embed/platform"
import { Effect, Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import type { DatabaseLocation } from "./DatabaseLocation.ts"

/** Why the database could not be opened. */
export type StoresError = PostgresStoresError | SqliteStoresError

const loadLayer = <E>(load: () => Promise<Layer.Layer<Stores, E>>): Layer.Layer<Stores, E> =>
  Layer.unwrap(Effect.promise(load))

/** Opens the database, and brings it to the current schema. */
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

/** The store that a configuration names, and the keys of operators in it. */
export const operations = (configuration: Configuration) =>
  OperatorKeys.layer.pipe(Layer.provideMerge(Layer.merge(layer(configuration.database), platform)))
