/** The layers of a client, which also provide the statements of its database. */
import { Config, Effect, Layer, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { Statements } from "./Statements.ts"

type Client = SqlClient.SqlClient | Statements

/** The ways to a client that is open as long as its layer. */
export interface ClientLayers<Settings> {
  readonly layer: (settings: Settings) => Layer.Layer<Client, SqlError.SqlError>
  readonly layerConfig: (
    settings: Config.Wrap<Settings>
  ) => Layer.Layer<Client, SqlError.SqlError | Config.ConfigError>
}

/** The layers of the clients that `make` opens. */
export const clientLayers = <Settings>(
  make: (
    settings: Settings
  ) => Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity>,
  statements: Statements["Service"]
): ClientLayers<Settings> => {
  const opened = <E>(
    client: Effect.Effect<SqlClient.SqlClient, E, Scope.Scope | Reactivity.Reactivity>
  ) =>
    Layer.effect(SqlClient.SqlClient)(client).pipe(
      Layer.provide(Reactivity.layer),
      Layer.merge(Layer.succeed(Statements)(statements))
    )
  return {
    layer: (settings) => opened(make(settings)),
    layerConfig: (settings) => opened(Effect.flatMap(Config.unwrap(settings), make))
  }
}
