/** Layers of SQL clients, with the statements for their database. */
import { type Effect, Layer, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { Statements } from "./Statements.ts"

/** Provides a client that stays open until its layer is released. */
export const clientLayer = (
  client: Effect.Effect<
    SqlClient.SqlClient,
    SqlError.SqlError,
    Scope.Scope | Reactivity.Reactivity
  >,
  statements: Statements["Service"]
): Layer.Layer<SqlClient.SqlClient | Statements, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient)(client).pipe(
    Layer.provide(Reactivity.layer),
    Layer.merge(Layer.succeed(Statements)(statements))
  )
