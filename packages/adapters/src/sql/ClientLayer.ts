/**
 * The layer of a client, which brings along the statements of its database.
 */
import { type Effect, Layer, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { Statements } from "./Statements.ts"

/** A client that is open as long as the layer. */
export const clientLayer = <E>(
  make: Effect.Effect<SqlClient.SqlClient, E, Scope.Scope | Reactivity.Reactivity>,
  statements: Statements["Service"]
): Layer.Layer<SqlClient.SqlClient | Statements, E> =>
  Layer.effect(SqlClient.SqlClient)(make).pipe(
    Layer.provide(Reactivity.layer),
    Layer.merge(Layer.succeed(Statements)(statements))
  )
