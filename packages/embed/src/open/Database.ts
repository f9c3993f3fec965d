/** Opens the stores in the host's database, and explains why that fails. */

import { join } from "node:path"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { DatabaseUnavailable, InvalidOptions } from "../Errors.ts"
import type { HostPool, HostSqlClient, Options } from "../Options.ts"
import type { DatabaseLocation } from "../Trouble.ts"
import { isOfPostgres, isSqlClient } from "./validateOptions.ts"

/** Creates a layer whose module is imported only when the layer is built. */
export const loadLayer = <A, E, R>(
  load: () => Promise<Layer.Layer<A, E, R>>
): Layer.Layer<A, E, R> => Layer.unwrap(Effect.promise(load))

const locationOf = (database: string, schema: string | undefined): DatabaseLocation => {
  if (database === "memory:") return { _tag: "Memory" }
  if (database.startsWith("sqlite:")) {
    return { _tag: "Sqlite", filename: database.slice("sqlite:".length) }
  }
  const place = schema === undefined ? {} : { schema }
  return { _tag: "Postgres", url: Redacted.make(database), ...place }
}

const storesIn = (location: DatabaseLocation): Layer.Layer<Stores, unknown> => {
  switch (location._tag) {
    case "Memory":
      return loadLayer(async () => (await import("@verbatim/adapters/memory")).layer)
    case "Sqlite":
      return loadLayer(async () => (await import("@verbatim/adapters/sqlite")).layer(location))
    case "Postgres":
      return loadLayer(async () => (await import("@verbatim/adapters/postgres")).layer(location))
  }
}

/** Errors that another schema would fix, because the database itself works. */
const aboutSchema = new Set(["TableTaken", "SchemaMissing", "Unfit"])

/** Explains why a migration failed. */
const reasonOf = (fault: unknown): object | undefined => {
  if (!(fault instanceof Error) || Reflect.get(fault, "_tag") !== "MigrationError") return undefined
  const reason: unknown = Reflect.get(fault, "reason")
  return typeof reason === "object" && reason !== null ? reason : undefined
}

/** Creates the error for a host whose database cannot be used. */
const refuse = (message: string, cause: unknown): InvalidOptions | DatabaseUnavailable => {
  const { _tag: code = "", ...details }: { readonly _tag?: string } = reasonOf(cause) ?? {}
  return aboutSchema.has(code)
    ? new InvalidOptions({ code, message, details, cause })
    : new DatabaseUnavailable({ code: "DatabaseUnavailable", message, cause })
}

/**
 * Explains a failure. The explanation names the database, without the user and password in its URL.
 */
const toHostError = (location: DatabaseLocation) => async (fault: unknown) => {
  const { explainDatabaseError } = await import("../Trouble.ts")
  const sentence = explainDatabaseError(location, fault)
  return sentence === undefined ? fault : refuse(sentence, fault)
}

const toHostRefusal = async (fault: unknown) =>
  fault instanceof Error && reasonOf(fault) !== undefined ? refuse(fault.message, fault) : fault

/** Converts a layer's errors to errors for the host. */
export const failingWith =
  (tell: (fault: unknown) => Promise<unknown>) =>
  <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, unknown> =>
    Layer.catch(layer, (fault) =>
      Layer.effectDiscard(
        Effect.flatMap(
          Effect.promise(() => tell(fault)),
          Effect.fail
        )
      )
    ) as Layer.Layer<A, unknown>

const overPool = (pool: HostPool): Layer.Layer<Stores, unknown> =>
  loadLayer(async () => {
    const [{ hostTransactions, PoolClient }, Sql] = await Promise.all([
      import("@verbatim/adapters/postgres"),
      import("@verbatim/adapters/sql")
    ])
    return Layer.merge(Sql.layer(), hostTransactions).pipe(
      Layer.provide(PoolClient.layer(pool)),
      failingWith(toHostRefusal)
    )
  })

const overClient = (client: HostSqlClient): Layer.Layer<Stores, unknown> =>
  loadLayer(async () => {
    const [Sql, { HostClient }] = await Promise.all([
      import("@verbatim/adapters/sql"),
      isOfPostgres(client)
        ? import("@verbatim/adapters/postgres")
        : import("@verbatim/adapters/sqlite")
    ])
    // The cast is safe: the option's type does not mention Effect, but the value has already been
    // validated.
    const host = HostClient.layer(client as unknown as SqlClient.SqlClient)
    return Layer.provideMerge(Sql.layer(), host).pipe(failingWith(toHostRefusal))
  })

/** Provides the stores, migrated to the current schema. */
export const stores = ({ database, schema }: Options): Layer.Layer<Stores, unknown> => {
  if (isSqlClient(database)) return overClient(database)
  if (typeof database !== "string") return overPool(database)
  const location = locationOf(database, schema)
  return failingWith(toHostError(location))(storesIn(location))
}

const nameIn = (url: string): ReadonlyArray<string> => {
  const { pathname = "" } = URL.canParse(url) ? new URL(url) : {}
  return pathname.split("/").filter((part) => part !== "")
}

/** Returns the default media folder of a persistent database. */
export const defaultMediaFolder = ({
  database,
  schema
}: Pick<Options, "database" | "schema">): string => {
  if (typeof database !== "string") return join(".verbatim", "media")
  const file = /^sqlite:(.+)$/s.exec(database)?.[1]
  // The name follows the pattern of SQLite's own files, `<file>-wal` and `<file>-shm`.
  if (file !== undefined) return `${file}-media`
  const own = schema === undefined ? [] : [encodeURIComponent(schema)]
  return join(".verbatim", ...nameIn(database), ...own, "media")
}
