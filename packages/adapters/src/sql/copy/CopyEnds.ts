/** The two ends of a copy: what each kind of database does in its own way. */
import { type Effect, Schema, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { MigrationError } from "../migration/MigrationError.ts"
import type { Statements } from "../Statements.ts"

const Reason = Schema.TaggedUnion({
  /** Migrations are missing in the source. */
  SourceBehind: {},
  /** The source has migrations that this code does not know: a copy would lose their columns. */
  SourceNewer: {},
  /** The source is itself a copy that was broken off. */
  SourceUnfinished: {},
  /** Processes use the source, and would go on writing what no copy has. */
  SourceInUse: {},
  /** The source and the target are one database. */
  SameStore: {},
  /** The target has rows already. */
  TargetNotEmpty: { table: Schema.String },
  /** The target has migrations that this code does not know. */
  TargetNewer: {},
  /** Another process, perhaps another copy, writes to the target. */
  TargetInUse: {},
  /** A text has a character that the target cannot hold. */
  Unstorable: { table: Schema.String, key: Schema.String },
  /** At the end the target does not have what the source has. */
  Different: { what: Schema.String, source: Schema.String, target: Schema.String },
  SourceFailed: { cause: Schema.Defect() },
  TargetFailed: { cause: Schema.Defect() }
})

/** Why a store was not copied. */
export class CopyError extends Schema.TaggedError<CopyError>()("CopyError", { reason: Reason }) {
  override get message(): string {
    return `the store was not copied: ${this.reason._tag}`
  }
  /** What the driver said. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** Each reason. */
export const reasons: typeof Reason.cases = Reason.cases

/** The failure with that reason. */
export const copyError = (reason: CopyError["reason"]): CopyError => new CopyError({ reason })

type Sql = SqlClient.SqlClient

/** What tells a store from every other one, by whatever name it is called. */
type Identity = Effect.Effect<string, SqlError.SqlError>

/** An open database from which rows are read. Its integers are exact. */
export interface OpenSource {
  readonly sql: Sql
  /** Runs an effect that sees the store as it is at one moment. */
  readonly atOneMoment: <A, E, R>(
    use: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | CopyError | SqlError.SqlError, R>
}

/** A store to copy from. Nothing is written there. */
export interface CopySource {
  readonly identity: Identity
  /** Fails where other processes use the store, unless they may. */
  readonly open: Effect.Effect<OpenSource, CopyError | SqlError.SqlError, Scope.Scope>
  readonly statements: Statements["Service"]
}

/** An open database into which rows are written. */
export interface OpenTarget {
  readonly sql: Sql
  /**
   * One transaction, beside which no other copy into this database has one, and nobody else writes
   * to these tables. Whoever has it longer than a few seconds is waited for no longer.
   */
  readonly alone: <A, E, R>(
    tables: ReadonlyArray<string>,
    use: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | CopyError | SqlError.SqlError, R>
}

/** How a database spells the statements that write rows. */
export interface Spelling {
  readonly placeholder: (number: number) => string
  /** What lets a statement give values to a column that the database counts up. */
  readonly givenSequence: string
  /** Lets such a column go on after the highest value. */
  readonly afterRows: (
    sql: Sql,
    table: string,
    column: string
  ) => Effect.Effect<unknown, SqlError.SqlError>
  /** Whether the database can hold a text. */
  readonly holds: (text: string) => boolean
}

/** A database to copy into. */
export interface CopyTarget {
  readonly identity: Identity
  /** Makes what is missing of a file; a server must have the database. */
  readonly open: Effect.Effect<OpenTarget, MigrationError | SqlError.SqlError, Scope.Scope>
  readonly statements: Statements["Service"]
  readonly spelling: Spelling
}
