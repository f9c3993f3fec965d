/** New databases, which are deleted when the scope closes. */
import { Effect, Redacted, type Scope } from "effect"
import { newSchema } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { type Endpoint, endpointAt } from "./Databases.ts"

/** Makes a name for a new file. */
export const newSqlite: Effect.Effect<Endpoint, never, Scope.Scope> = Effect.map(newFile, (name) =>
  endpointAt({ kind: "Sqlite", name, schema: "" })
)

/** Makes a new schema on the test server. */
export const newPostgres: Effect.Effect<Endpoint, never, Scope.Scope> = Effect.map(
  newSchema,
  ({ schema, url }) => endpointAt({ kind: "Postgres", name: Redacted.value(url), schema })
)
