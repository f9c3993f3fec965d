/**
 * What a migration is: steps that each stand by themselves, so that a program may die between two
 * of them, and the previous version can keep running over the tables as they are then.
 */

import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Index } from "./MigrationTurn.ts"
import type { SchemaStatements } from "./SchemaStatements.ts"

/** What a step may ask for. */
type Needs = SchemaStatements | SqlClient.SqlClient

/** An index to build. */
export interface IndexStep extends Index {
  readonly _tag: "Index"
}

/** Statements that take effect together, or not at all. */
export interface StatementsStep {
  readonly _tag: "Statements"
  readonly run: Effect.Effect<unknown, SqlError.SqlError, Needs>
}

/** Statements that change some rows at a time, and tell whether there may be more. */
export interface BatchesStep {
  readonly _tag: "Batches"
  readonly run: Effect.Effect<boolean, SqlError.SqlError, Needs>
}

/** One step of a migration. */
export type Step = BatchesStep | IndexStep | StatementsStep

/** A migration, known by its number for good. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  /**
   * The last migration that the oldest code knows which may run over the database once this one has
   * begun. Left out by a migration that only adds: then any code may.
   */
  readonly compatibleSince?: number
}

/**
 * Statements in one transaction. They wait a second for a lock, and so do all who come after them,
 * then try again later: so none of them may take long while it holds one.
 */
export const statements = (run: StatementsStep["run"]): Step => ({ _tag: "Statements", run })

/**
 * Statements for many rows, run in one transaction after another for as long as they say that there
 * may be more. A batch that was done before must find nothing to do: after a crash they begin
 * again. Batches of a thousand rows keep nobody waiting.
 */
export const batches = (run: BatchesStep["run"]): Step => ({ _tag: "Batches", run })

/** An index on a table that may be large and in use: nobody waits while it is built. */
export const index = (name: string, on: Index["on"]): Step => ({ _tag: "Index", name, on })
