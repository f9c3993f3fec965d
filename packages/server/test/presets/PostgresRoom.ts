/**
 * A Postgres for the tests of a file, started when the first of them asks and gone at their end. A
 * test has a schema in it, or a database.
 */
import { layer, PostgresClient } from "@verbatim/adapters/postgres"
import type { Stores } from "@verbatim/core/ports"
import { launch, type PostgresServer } from "@verbatim/testkit/servers"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"

let launched: Promise<PostgresServer> | undefined
let count = 0

const server = (): Promise<PostgresServer> => {
  launched ??= launch()
  return launched
}

const newName = (): string => {
  count += 1
  return `room_${count}`
}

afterAll(async () => {
  await (await launched)?.remove()
})

/** The URL of a new database. */
export const newDatabase = async (): Promise<string> => {
  const { url } = await server()
  const client = PostgresClient.layer({ url: Redacted.make(url), connectionsMax: 1 })
  const name = newName()
  const created = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  await Effect.runPromise(Effect.provide(created, client))
  const database = new URL(url)
  database.pathname = `/${name}`
  return database.href
}

/** The stores of the database of a URL. */
export const storesOf = (url: string, schema?: string): Layer.Layer<Stores> =>
  Layer.orDie(
    layer({
      url: Redacted.make(url),
      connectionsMax: 4,
      ...(schema === undefined ? {} : { schema })
    })
  )

/** Stores that are new. */
export const stores = (): Layer.Layer<Stores> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => server()),
      ({ url }) => storesOf(url, newName())
    )
  )
