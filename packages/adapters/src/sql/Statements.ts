/**
 * Everything that the databases say differently. The stores say the rest, once for all of them; a
 * new database is one more implementation of this.
 */
import { Context, type Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { JobStatements } from "./job/JobStatements.ts"
import type { SchemaStatements } from "./migration/SchemaStatements.ts"
import type { PresetStatements } from "./preset/PresetStatements.ts"
import type { RowReads } from "./row/RowReads.ts"
import type { StoreTime } from "./session/StoreTime.ts"
import type { WorkStatements } from "./work/WorkStatements.ts"
import type { Book } from "./workspace/Ledger.ts"

/**
 * The statements of one database. The layer of a client provides them, so that no store speaks to a
 * database in the words of another.
 */
export class Statements extends Context.Service<
  Statements,
  {
    readonly time: StoreTime
    readonly reads: RowReads
    /** Runs statements in a transaction during which nobody else runs those of that name. */
    readonly alone: <A, E, R>(
      sql: SqlClient.SqlClient,
      name: string,
      statements: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | SqlError.SqlError, R>
    readonly book: Book
    readonly jobs: JobStatements
    readonly work: WorkStatements
    readonly presets: PresetStatements
    readonly schema: SchemaStatements["Service"]
  }
>()("@verbatim/adapters/sql/Statements") {}
