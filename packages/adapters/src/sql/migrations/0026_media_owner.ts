/**
 * A database has an identity of its own, and remembers that it adopted its media store itself: a
 * copy of the database has the same rows, but not the same place.
 */
import { Clock, Effect, Random } from "effect"
import { SqlClient } from "effect/sql"
import { type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Two databases hardly ever have the same: there are 2^53 values. */
const makeIdentity = Effect.map(Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER), (number) =>
  number.toString(36)
)

/**
 * The row of the identity is never updated: on Postgres, what wrote it is the place of the database
 * (`SchemaStatements.identify`). A database from before is as old as its first workspace.
 */
const addOwner = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { identify, types } = yield* SchemaStatements
  const { int, strict } = types(sql)
  yield* sql`
    CREATE TABLE verbatim_database_identity (
      id ${int} NOT NULL PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL,
      created_at ${int} NOT NULL
    ) ${strict}`
  const millis = yield* Clock.currentTimeMillis
  // By the clock of the store, where it has one of its own.
  const now = sql.onDialectOrElse({
    pg: () => sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
    orElse: () => sql`${millis}`
  })
  yield* sql`INSERT INTO verbatim_database_identity (id, identity, created_at)
    SELECT 1, ${yield* makeIdentity}, COALESCE(MIN(created_at), ${now}) FROM verbatim_workspaces`
  yield* sql`ALTER TABLE verbatim_media_mark ADD COLUMN owner TEXT`
  yield* sql`UPDATE verbatim_media_mark SET owner = ${yield* identify(sql)}`
})

/** A program from before that adopts a media store leaves no owner: then it is adopted again. */
export const steps: ReadonlyArray<Step> = [statements(addOwner)]
