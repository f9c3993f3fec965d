/** The reasons why a database was not migrated to the current schema. */
import { Schema } from "effect"
import type { SqlError } from "effect/sql"

interface MigrationId {
  readonly id: number
  readonly name: string
}

/** Returns a migration's number and name in the form that operators see. */
export const migrationName = ({ id, name }: MigrationId): string =>
  `${String(id).padStart(4, "0")}_${name}`

const Reason = Schema.TaggedUnion({
  /** Newer code has changed the schema that this code needs. */
  DatabaseNewer: { known: Schema.Int, needed: Schema.Int },
  /** The tables were created by a build from before the first release, and cannot be migrated. */
  Unreleased: {},
  /** A copy into the database was interrupted or is still running. */
  CopyUnfinished: {},
  /** Other transactions held the locks that a step needs. */
  Blocked: { migration: Schema.String, cause: Schema.Defect() },
  /** Another process took longer to migrate than this process waits. */
  Busy: {},
  /** Another program's table has the name of one of the stores' tables. */
  TableTaken: { table: Schema.String, location: Schema.String },
  /** None of the schemas in the session's search path exists, so tables cannot be created. */
  SchemaMissing: { path: Schema.String },
  /** The client or an option is unsuitable. */
  Unfit: { sentence: Schema.String },
  /** The database rejected a step. */
  Failed: { migration: Schema.String, step: Schema.Int, cause: Schema.Defect() }
})

/**
 * Suggests what the operator can do about a taken name. With SQLite, which has no schemas, the
 * suggestion is a separate file.
 */
const remedyOf = (location: string, schema: string): string =>
  location.startsWith("schema ") ? `set ${schema}` : "use a separate file"

/** Returns functions that build the messages for operators; `schema` is the setting's name. */
const makeSentences = (schema: string) => ({
  DatabaseNewer: ({ known, needed }: { readonly known: number; readonly needed: number }) =>
    "The database belongs to a newer version of Verbatim, with which this one is incompatible " +
    `(it knows migration ${known}, and ${needed} is needed): start the newer version, or restore ` +
    "a backup from before the upgrade.",
  Unreleased: () =>
    "The database was created by an unreleased build of Verbatim, and this version cannot read " +
    "its tables: use a new database, or keep using that build. Nothing was changed.",
  CopyUnfinished: () =>
    "The database is an incomplete copy: run `verbatim copy` again, with the same " +
    "--from and --to. Nothing was served from it.",
  Blocked: ({ migration }: { readonly migration: string }) =>
    `Migration ${migration} waits for other transactions on the same tables: end them, or ` +
    "restart once they have ended. Its completed steps are kept.",
  TableTaken: ({ location, table }: { readonly location: string; readonly table: string }) =>
    `A table named ${table} in ${location} does not belong to Verbatim: ` +
    `${remedyOf(location, schema)}.`,
  SchemaMissing: ({ path }: { readonly path: string }) =>
    `No schema in the search_path of the database's sessions can be used (${path}): create it, ` +
    `grant USAGE on it, or set ${schema}.`,
  Unfit: ({ sentence }: { readonly sentence: string }) => sentence,
  Busy: () => "Another process is migrating the database: restart when it is done.",
  Failed: ({ migration, step }: { readonly migration: string; readonly step: number }) =>
    `Migration ${migration} failed at step ${step}: see the log. Its completed steps are kept.`
})

const sentences = makeSentences("schema")

/** A database was not migrated to the current schema. The message is for the operator. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  reason: Reason
}) {
  override get message(): string {
    return Reason.match(this.reason, sentences)
  }
  /** Returns the message, with the name that a program uses for the option `schema`. */
  toSentence(schema: string): string {
    return Reason.match(this.reason, makeSentences(schema))
  }
  /** The driver's error, for the log. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** Creates the error for a reason. */
export const migrationError = (reason: typeof Reason.Type): MigrationError =>
  new MigrationError({ reason })

/** Matches a database's messages about a name that is already taken. */
const takenWords =
  /(?:relation|table|index|view) "?([\w$]+)"? already exists|already an? \w+ named ([\w$]+)/

/** Returns the taken name that a statement tried to use. */
export const findTakenName = ({ reason }: SqlError.SqlError): string | undefined => {
  const detail = reason.cause instanceof Error ? reason.cause.message : ""
  const [, first, second] = takenWords.exec(detail) ?? []
  return first ?? second
}

/** Whether a statement failed because of other transactions' locks, so that a retry may succeed. */
export const isLocked = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "LockTimeoutError" || reason._tag === "DeadlockError"

/** Converts a step's failure to a migration error. A connection failure is returned unchanged. */
export const stepFailure =
  (migration: MigrationId, step: number) =>
  (cause: SqlError.SqlError): MigrationError | SqlError.SqlError => {
    if (cause.reason._tag === "ConnectionError") return cause
    const named = { migration: migrationName(migration), cause }
    return migrationError(
      isLocked(cause) ? { _tag: "Blocked", ...named } : { _tag: "Failed", ...named, step: step + 1 }
    )
  }
