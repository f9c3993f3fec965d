/**
 * Tests the list of integer columns, because drivers of hosts may return their values as strings.
 */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readRow } from "#src/postgres/host/HostQueries"
import { newSchema, oneClient } from "../postgres/TemporarySchema.ts"

interface Column {
  readonly name: string
  readonly type: string
}

/** Every column of every table, as Postgres reports it. */
const columns = Effect.gen(function* () {
  const config = yield* newSchema
  yield* Layer.build(Layer.fresh(layer(config)))
  return yield* Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Column>`SELECT DISTINCT column_name::text AS name, data_type::text AS type
      FROM information_schema.columns WHERE table_schema = ${config.schema}`
  ).pipe(Effect.provide(oneClient(config)))
})

const wide = new Set(["bigint", "numeric"])

/** Columns that are compared in statements, but never returned under these names. */
const unread = new Set(["begins_at", "forgotten", "id", "is_transcription_ended", "until"])

describe("rows from a host's driver", () => {
  it.live("have numbers in all 64-bit columns, and text in all text columns", () =>
    Effect.gen(function* () {
      const found = yield* columns
      const isRead = ({ name }: Column) => typeof readRow({ [name]: "7" })[name] === "number"
      const integers = found.filter(({ type }) => wide.has(type))
      const texts = found.filter(({ type }) => type === "text" || type === "uuid")
      assert.isAbove(integers.length, 20)
      assert.isAbove(texts.length, 20)
      assert.deepStrictEqual(
        new Set(integers.filter((column) => !isRead(column)).map(({ name }) => name)),
        unread
      )
      assert.deepStrictEqual(texts.filter(isRead), [])
    }).pipe(Effect.scoped)
  )
})
