/** Tests that a commit waits for the disk, however the database is configured. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient } from "@verbatim/adapters/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { isShared, newSchema, oneClient } from "./TemporarySchema.ts"

const shown = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly setting: string }>`SELECT current_setting('synchronous_commit') AS setting`,
    ([row]) => row?.setting
  )
)

/**
 * Configures the database's `synchronous_commit`, and returns its value in one session and in a
 * transaction of another.
 */
const settings = Effect.fnUntraced(function* (setting: string) {
  const { url } = yield* newSchema
  const name = `durability_${setting}`
  const there = new URL(Redacted.value(url))
  there.pathname = `/${name}`
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP DATABASE IF EXISTS ${sql(name)}`
    yield* sql`CREATE DATABASE ${sql(name)}`
    yield* sql`ALTER DATABASE ${sql(name)} SET synchronous_commit = ${sql.literal(setting)}`
  }).pipe(Effect.provide(oneClient({ url }), { local: true }))
  return yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return [yield* sql.withTransaction(shown), yield* shown]
  }).pipe(Effect.provide(Layer.fresh(PostgresClient.layer({ url: Redacted.make(there.href) }))))
})

describe.skipIf(isShared)("a session on Postgres", () => {
  for (const weaker of ["off", "local", "remote_write"]) {
    it.live(`waits for the disk if the database's setting is ${weaker}`, () =>
      Effect.map(settings(weaker), (found) => assert.deepStrictEqual(found, ["on", "on"]))
    )
  }

  it.live("waits for replicas if the database's setting is remote_apply", () =>
    Effect.map(settings("remote_apply"), (found) =>
      assert.deepStrictEqual(found, ["remote_apply", "remote_apply"])
    )
  )
})
