/** The database that a host names: its stores, and what is wrong where they cannot be opened. */
import { Migrations } from "@verbatim/adapters/sql"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { SqlError } from "effect/sql"
import { Unavailable } from "../Errors.ts"
import type { HostPool, Options } from "../Options.ts"
import {
  causesOf,
  type DatabaseLocation,
  databaseSentence,
  migrationSentence
} from "../trouble/index.ts"

/** How its tables are told from those of the host. */
interface Names {
  readonly schema: string | undefined
  readonly tablePrefix: string | undefined
}

/** Loaded when it is chosen: nobody waits for, or installs, what he does not use. */
const loaded = <A, E>(load: () => Promise<Layer.Layer<A, E>>): Layer.Layer<A, E> =>
  Layer.unwrap(Effect.promise(load))

const locationOf = ({
  database,
  schema,
  tablePrefix
}: Names & { readonly database: string }): DatabaseLocation => {
  if (database === "memory:") return { _tag: "Memory" }
  if (database.startsWith("sqlite:")) {
    return { _tag: "Sqlite", filename: database.slice("sqlite:".length), tablePrefix }
  }
  const place = schema === undefined ? {} : { schema }
  return { _tag: "Postgres", url: Redacted.make(database), tablePrefix, ...place }
}

const storesIn = (location: DatabaseLocation): Layer.Layer<Stores, unknown> => {
  switch (location._tag) {
    case "Memory":
      return loaded(async () => (await import("@verbatim/adapters/memory")).layer)
    case "Sqlite":
      return loaded(async () => (await import("@verbatim/adapters/sqlite")).layer(location))
    case "Postgres":
      return loaded(async () => (await import("@verbatim/adapters/postgres")).layer(location))
  }
}

const unavailable = (message: string, cause: unknown): Unavailable =>
  new Unavailable({ code: "DatabaseUnavailable", message, cause })

/** What is wrong, and with which database: without the user and the password of its URL. */
const toTrouble = (location: DatabaseLocation) => (fault: unknown) => {
  if (fault instanceof Migrations.MigrationError) {
    return unavailable(migrationSentence(location, fault), fault)
  }
  const error = causesOf(fault).find(SqlError.isSqlError)
  return error === undefined ? fault : unavailable(databaseSentence(location, error), fault)
}

/** The layer, failing in other words. */
const failingWith =
  (toFault: (fault: unknown) => unknown) =>
  <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, unknown> =>
    Layer.catch(layer, (fault) => Layer.effectDiscard(Effect.fail(toFault(fault)))) as Layer.Layer<
      A,
      unknown
    >

const overPool = (pool: HostPool, names: Names): Layer.Layer<Stores, unknown> =>
  loaded(async () => {
    const [{ hostTransactions, PoolClient }, Sql] = await Promise.all([
      import("@verbatim/adapters/postgres"),
      import("@verbatim/adapters/sql")
    ])
    return Layer.merge(Sql.layer({ ...names, dialect: "pg" }), hostTransactions).pipe(
      Layer.provide(PoolClient.layer(pool)),
      failingWith((fault) =>
        fault instanceof Migrations.MigrationError ? unavailable(fault.message, fault) : fault
      )
    )
  })

/** The stores, brought to the current schema. */
export const stores = ({
  database,
  schema,
  tablePrefix
}: Options): Layer.Layer<Stores, unknown> => {
  if (typeof database !== "string") return overPool(database, { schema, tablePrefix })
  const location = locationOf({ database, schema, tablePrefix })
  return failingWith(toTrouble(location))(storesIn(location))
}
