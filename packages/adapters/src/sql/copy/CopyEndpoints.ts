/** Defines the parts of a copy's source and target that differ between databases. */
import { type Effect, Schema, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { MigrationError } from "../migration/MigrationError.ts"
import type { Statements } from "../Statements.ts"

const Reason = Schema.TaggedUnion({
  /** The source lacks migrations. */
  SourceBehind: {},
  /**
   * The source has migrations that this code does not know. A copy would lose the columns that
   * these migrations added.
   */
  SourceNewer: {},
  /** The source is itself an unfinished copy's target. */
  SourceUnfinished: {},
  /** Other processes use the source, and their later writes would not be copied. */
  SourceInUse: {},
  /** The source and the target are the same database. */
  SameStore: {},
  /** The target already has rows. */
  TargetNotEmpty: { table: Schema.String },
  /** The target has migrations that this code does not know. */
  TargetNewer: {},
  /** Another process, perhaps another copy, writes to the target. */
  TargetInUse: {},
  /** Some text contains a character that the target cannot store. */
  Unstorable: { table: Schema.String, key: Schema.String },
  /** After the copy, the totals of the source and the target differ. */
  Different: { what: Schema.String, source: Schema.String, target: Schema.String },
  SourceFailed: { cause: Schema.Defect() },
  TargetFailed: { cause: Schema.Defect() }
})

/** The error for a store that was not copied. */
export class CopyError extends Schema.TaggedError<CopyError>()("CopyError", { reason: Reason }) {
  override get message(): string {
    return `the store was not copied: ${this.reason._tag}`
  }
  /** The driver's error. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** Creates a copy error with the given reason. */
export const copyError = (reason: CopyError["reason"]): CopyError => new CopyError({ reason })

type Sql = SqlClient.SqlClient

/** Reads an identity that a store keeps even if it is opened under another name. */
type Identity = Effect.Effect<string, SqlError.SqlError>

/** Options for reading the database to copy from. */
export interface SourceOptions {
  /**
   * Whether other processes may write to the source during the copy. Such writes are not copied.
   */
  readonly isInUse: boolean
}

/** An open database to read rows from. Integers are read exactly. */
export interface OpenSource {
  readonly sql: Sql
  /** Runs an effect in which all reads see the store at the same point in time. */
  readonly withSnapshot: <A, E, R>(
    use: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | CopyError | SqlError.SqlError, R>
}

/** A store to copy from. Nothing is written to the source. */
export interface CopySource {
  readonly identity: Identity
  /** Fails if other processes are using the store, unless the options allow this. */
  readonly open: Effect.Effect<OpenSource, CopyError | SqlError.SqlError, Scope.Scope>
  readonly statements: Statements["Service"]
}

/** An open database to write rows to. */
export interface OpenTarget {
  readonly sql: Sql
  /**
   * Runs an effect in one transaction that excludes other copies into this database, and all other
   * writers to the given tables. Fails if another transaction holds a lock for more than a few
   * seconds.
   */
  readonly withExclusiveAccess: <A, E, R>(
    tables: ReadonlyArray<string>,
    use: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | CopyError | SqlError.SqlError, R>
}

/** A database's syntax for inserting rows. */
export interface InsertSyntax {
  readonly placeholder: (number: number) => string
  /** The clause that allows a statement to set the values of a column with a sequence. */
  readonly explicitSequence: string
  /** Makes a column's sequence continue after the column's highest value. */
  readonly afterRows: (
    sql: Sql,
    table: string,
    column: string
  ) => Effect.Effect<unknown, SqlError.SqlError>
  /** Whether the database can store the given text. */
  readonly canStore: (text: string) => boolean
}

/** A database to copy into. */
export interface CopyTarget {
  readonly identity: Identity
  /** Opens the target database. A missing file is created; on a server, the database must exist. */
  readonly open: Effect.Effect<OpenTarget, MigrationError | SqlError.SqlError, Scope.Scope>
  readonly statements: Statements["Service"]
  readonly insertSyntax: InsertSyntax
}
