/**
 * Rooms on the Postgres of this run: a test has a schema in a database of this process, or a
 * database.
 */
import { randomUUID } from "node:crypto"
import { layer, PostgresClient } from "@verbatim/adapters/postgres"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

const newName = (): string => `room_${randomUUID().replaceAll("-", "")}`

/** The URL of a new database. */
const newDatabase = async (): Promise<string> => {
  const answer = await fetch(inject("postgres"))
  const url = await answer.text()
  if (!answer.ok) throw new Error(url)
  const client = PostgresClient.layer({ url: Redacted.make(url), connectionsMax: 1 })
  const name = newName()
  const created = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  await Effect.runPromise(Effect.provide(created, client))
  const database = new URL(url)
  database.pathname = `/${name}`
  return database.href
}

/** The stores of the database of a URL. */
const storesOf = (url: string, schema?: string): Layer.Layer<Stores> =>
  Layer.orDie(
    layer({
      url: Redacted.make(url),
      connectionsMax: 4,
      ...(schema === undefined ? {} : { schema })
    })
  )

/** Of all the files that this process runs. */
let shared: Promise<string> | undefined

const sharedDatabase = (): Promise<string> => {
  shared ??= newDatabase()
  return shared
}

/** Stores that are new. */
export const stores = (): Layer.Layer<Stores> =>
  Layer.unwrap(Effect.map(Effect.promise(sharedDatabase), (url) => storesOf(url, newName())))
