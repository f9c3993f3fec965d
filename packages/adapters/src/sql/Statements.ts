/**
 * Defines all statements that differ between databases. Statements that all databases share are in
 * the stores. To support another database, implement this service for that database.
 */
import { Context, type Effect, Layer, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import type { JobStatements } from "./job/JobStatements.ts"
import type { SchemaStatements } from "./migration/Migration.ts"
import type { PresetStatements } from "./preset/PresetStatements.ts"
import type { RowReads } from "./row/RowReads.ts"
import type { LockedTransaction, StoreTime } from "./session/Sessions.ts"
import type { WorkStatements } from "./work/WorkStatements.ts"

/** The statements for one database, provided by the layer of the database's client. */
export class Statements extends Context.Service<
  Statements,
  {
    readonly time: StoreTime
    readonly reads: RowReads
    readonly exclusive: LockedTransaction
    /**
     * Runs statements concurrently with other shared transactions of the same name, but not while
     * an exclusive transaction runs.
     */
    readonly shared: LockedTransaction
    readonly jobs: JobStatements
    readonly work: WorkStatements
    readonly presets: PresetStatements
    readonly schema: SchemaStatements["Service"]
  }
>()("@verbatim/adapters/sql/Statements") {}

/** Provides a client that stays open until the layer is released. */
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
