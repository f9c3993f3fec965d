/**
 * What a migration is: steps that each stand by themselves, so that a program may die between two
 * of them, and the version that ran before goes on over the tables as they are then.
 */

import type { Effect } from "effect"
import { Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** An index to build. Its name and what it is on are enough to make it again. */
export interface IndexStep {
  readonly _tag: "Index"
  readonly name: string
  /** What follows ON: the table and, in parentheses, its columns. */
  readonly on: (sql: SqlClient.SqlClient) => Statement.Fragment
}

/** Statements that take effect together, or not at all. */
export interface StatementsStep {
  readonly _tag: "Statements"
  readonly run: Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>
}

/** Statements that change some rows at a time, and tell whether there may be more. */
export interface BatchesStep {
  readonly _tag: "Batches"
  readonly run: Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient>
}

/** One step of a migration. */
export type Step = BatchesStep | IndexStep | StatementsStep

/** A migration, known by its number for good. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  /**
   * The last migration that the oldest code knows which may run over the database once this one
   * has begun. Left out by a migration that only adds: any code may.
   */
  readonly compatibleSince?: number
}

/**
 * Statements in one transaction. They wait a second for a lock, with all who come after them, and
 * try again later: so none of them may take long while it holds one.
 */
export const statements = (run: StatementsStep["run"]): Step => ({ _tag: "Statements", run })

/**
 * Statements for many rows, run in one transaction after the other for as long as they say that
 * there may be more. A batch that was done before must find nothing to do: after a crash they begin
 * again. A thousand rows each keep nobody waiting.
 */
export const batches = (run: BatchesStep["run"]): Step => ({ _tag: "Batches", run })

/** An index on a table that may be large and in use: nobody waits while it is built. */
export const index = (name: string, on: IndexStep["on"]): Step => ({ _tag: "Index", name, on })

/** What operators see: the number with the name. */
export const called = ({ id, name }: Pick<Migration, "id" | "name">): string =>
  `${String(id).padStart(4, "0")}_${name}`

const Reason = Schema.TaggedUnion({
  /** Code that knows a later migration has changed what this code needs. */
  DatabaseNewer: { known: Schema.Int, needed: Schema.Int },
  /** Other transactions kept the locks that a step needs. */
  Blocked: { migration: Schema.String, cause: Schema.Defect() },
  /** Another process has been at it for as long as one waits. */
  Busy: {},
  /** The database refused a step. */
  Failed: { migration: Schema.String, step: Schema.Int, cause: Schema.Defect() }
})

/** What an operator is told about each. */
const sentences = {
  DatabaseNewer: ({ known, needed }: { readonly known: number; readonly needed: number }) =>
    "The database belongs to a newer version of Verbatim, beside which this one cannot work " +
    `(it knows migration ${known}, and ${needed} is needed): start the newer version, or restore ` +
    "a backup from before the upgrade.",
  Blocked: ({ migration }: { readonly migration: string }) =>
    `Migration ${migration} waits for other transactions on the same tables: end them, or start ` +
    "again when they have ended. What it has done so far stays.",
  Busy: () => "Another process is migrating the database: start again when it is done.",
  Failed: ({ migration, step }: { readonly migration: string; readonly step: number }) =>
    `Migration ${migration} failed at its step ${step}: the log says why. What it has done so ` +
    "far stays."
}

/** Why a database was not brought to the present schema. The message is for the operator. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  reason: Reason
}) {
  override get message(): string {
    return Reason.match(this.reason, sentences)
  }
  /** What the driver said, for the log. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** The refusal of a database whose schema is too new for code that knows so many migrations. */
export const databaseNewer = (versions: { readonly known: number; readonly needed: number }) =>
  new MigrationError({ reason: Reason.cases.DatabaseNewer.make(versions) })

/** The end of waiting for another process. */
export const busy = () => new MigrationError({ reason: Reason.cases.Busy.make({}) })

/** Whether a statement failed because of what others hold, so that it may succeed later. */
export const isLocked = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "LockTimeoutError" || reason._tag === "DeadlockError"

/** What the failure of a step means. One of the way to the database stays what it is. */
export const stepFailure =
  (migration: Migration, step: number) =>
  (cause: SqlError.SqlError): MigrationError | SqlError.SqlError => {
    if (cause.reason._tag === "ConnectionError") return cause
    const named = { migration: called(migration), cause }
    const reason = isLocked(cause)
      ? Reason.cases.Blocked.make(named)
      : Reason.cases.Failed.make({ ...named, step: step + 1 })
    return new MigrationError({ reason })
  }
