/**
 * Everything that the databases say differently. The stores say the rest, once for all of them; a
 * new database is one more implementation of this.
 */
import { Context } from "effect"
import type { JobStatements } from "./job/JobStatements.ts"
import type { SchemaStatements } from "./migration/Migration.ts"
import type { PresetStatements } from "./preset/PresetStatements.ts"
import type { RowReads } from "./row/RowReads.ts"
import type { Alone, StoreTime } from "./session/Sessions.ts"
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
    readonly alone: Alone
    /** Runs statements beside others that run so, while nobody runs any of that name alone. */
    readonly together: Alone
    readonly book: Book
    readonly jobs: JobStatements
    readonly work: WorkStatements
    readonly presets: PresetStatements
    readonly schema: SchemaStatements["Service"]
  }
>()("@verbatim/adapters/sql/Statements") {}
