/**
 * All statements that differ between databases. The stores contain the statements that all
 * databases share. Supporting another database takes another implementation of this service.
 */
import { Context } from "effect"
import type { JobStatements } from "./job/JobStatements.ts"
import type { SchemaStatements } from "./migration/Migration.ts"
import type { PresetStatements } from "./preset/PresetStatements.ts"
import type { RowReads } from "./row/RowReads.ts"
import type { LockedTransaction, StoreTime } from "./session/Sessions.ts"
import type { WorkStatements } from "./work/WorkStatements.ts"
import type { AddEntry } from "./workspace/Ledger.ts"

/** The statements for one database, provided by its client's layer. */
export class Statements extends Context.Service<
  Statements,
  {
    readonly time: StoreTime
    readonly reads: RowReads
    readonly exclusive: LockedTransaction
    /**
     * Runs statements concurrently with other shared transactions of that name, while no exclusive
     * one runs.
     */
    readonly shared: LockedTransaction
    readonly addEntry: AddEntry
    readonly jobs: JobStatements
    readonly work: WorkStatements
    readonly presets: PresetStatements
    readonly schema: SchemaStatements["Service"]
  }
>()("@verbatim/adapters/sql/Statements") {}
