/** Databases that are not there yet, gone with the scope. */
import { Effect, Redacted, type Scope } from "effect"
import { newSchema } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { type End, endAt } from "./Ends.ts"

/** A file. */
export const newSqlite: Effect.Effect<End, never, Scope.Scope> = Effect.map(newFile, (name) =>
  endAt({ kind: "Sqlite", name, schema: "" })
)

/** A schema on the server of these tests. */
export const newPostgres: Effect.Effect<End, never, Scope.Scope> = Effect.map(
  newSchema,
  ({ schema, url }) => endAt({ kind: "Postgres", name: Redacted.value(url), schema })
)
