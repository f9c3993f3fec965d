/** The database that a host names: its stores, and what is wrong where they cannot be opened. */
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { Unavailable } from "../Errors.ts"
import type { HostPool, Options } from "../Options.ts"
import type { DatabaseLocation } from "../trouble/index.ts"

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
const tellTrouble = (location: DatabaseLocation) => async (fault: unknown) => {
  const { sentenceOf } = await import("../trouble/index.ts")
  const sentence = sentenceOf(location, fault)
  return sentence === undefined ? fault : unavailable(sentence, fault)
}

const tellRefusal = async (fault: unknown) =>
  fault instanceof Error && Reflect.get(fault, "_tag") === "MigrationError"
    ? unavailable(fault.message, fault)
    : fault

/** The layer, failing in other words. */
const failingWith =
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

const overPool = (pool: HostPool, names: Names): Layer.Layer<Stores, unknown> =>
  loaded(async () => {
    const [{ hostTransactions, PoolClient }, Sql] = await Promise.all([
      import("@verbatim/adapters/postgres"),
      import("@verbatim/adapters/sql")
    ])
    return Layer.merge(Sql.layer({ ...names, dialect: "pg" }), hostTransactions).pipe(
      Layer.provide(PoolClient.layer(pool)),
      failingWith(tellRefusal)
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
  return failingWith(tellTrouble(location))(storesIn(location))
}
