/** Why a database was not brought to the current schema. */
import { Schema } from "effect"
import type { SqlError } from "effect/sql"

/** A migration as operators know it. */
interface Named {
  readonly id: number
  readonly name: string
}

/** How operators see it: the number with the name. */
export const migrationName = ({ id, name }: Named): string =>
  `${String(id).padStart(4, "0")}_${name}`

const Reason = Schema.TaggedUnion({
  /** Code that knows a later migration has changed what this code needs. */
  DatabaseNewer: { known: Schema.Int, needed: Schema.Int },
  /** The tables are those of a build before the first release: no migration starts from them. */
  Unreleased: {},
  /** A copy into the database was broken off, or is under way. */
  CopyUnfinished: {},
  /** Other transactions kept the locks that a step needs. */
  Blocked: { migration: Schema.String, cause: Schema.Defect() },
  /** Another process has been at it for as long as we wait. */
  Busy: {},
  /** A table of somebody else has the name of one of ours. */
  TableTaken: { table: Schema.String, place: Schema.String },
  /** The session has no schema that exists, so a table could be made nowhere. */
  SchemaMissing: { path: Schema.String },
  /** The client, or what was asked for, cannot serve. */
  Unfit: { sentence: Schema.String },
  /** The database refused a step. */
  Failed: { migration: Schema.String, step: Schema.Int, cause: Schema.Defect() }
})

/** SQLite has no schemas. */
const remedyOf = (place: string, schema: string): string =>
  place.startsWith("schema ") ? `set ${schema}` : "use a file of its own"

/** What an operator reads about each; `schema` is the name of the setting. */
const makeSentences = (schema: string) => ({
  DatabaseNewer: ({ known, needed }: { readonly known: number; readonly needed: number }) =>
    "The database belongs to a newer version of Verbatim, beside which this one cannot work " +
    `(it knows migration ${known}, and ${needed} is needed): start the newer version, or restore ` +
    "a backup from before the upgrade.",
  Unreleased: () =>
    "The database was made by an unreleased build of Verbatim, and this one cannot read its " +
    "tables: name a new database, or keep using that build. Nothing was changed.",
  CopyUnfinished: () =>
    "The database is a copy that is not complete: run `verbatim copy` again, with the same " +
    "--from and --to. Nothing was served from it.",
  Blocked: ({ migration }: { readonly migration: string }) =>
    `Migration ${migration} waits for other transactions on the same tables: end them, or start ` +
    "again when they have ended. What it has done so far stays.",
  TableTaken: ({ place, table }: { readonly place: string; readonly table: string }) =>
    `A table named ${table} that is not Verbatim's is in ${place}: ` +
    `${remedyOf(place, schema)}.`,
  SchemaMissing: ({ path }: { readonly path: string }) =>
    `No schema in the search_path of the database's sessions exists (${path}): create it, or set ` +
    `${schema}.`,
  Unfit: ({ sentence }: { readonly sentence: string }) => sentence,
  Busy: () => "Another process is migrating the database: start again when it is done.",
  Failed: ({ migration, step }: { readonly migration: string; readonly step: number }) =>
    `Migration ${migration} failed at its step ${step}: the log says why. What it has done so ` +
    "far stays."
})

const sentences = makeSentences("schema")

/** Why a database was not brought to the current schema. The message is for the operator. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  reason: Reason
}) {
  override get message(): string {
    return Reason.match(this.reason, sentences)
  }
  /** The message where the option `schema` has another name. */
  tell(schema: string): string {
    return Reason.match(this.reason, makeSentences(schema))
  }
  /** What the driver said, for the log. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** Each reason. */
export const reasons: typeof Reason.cases = Reason.cases

/** The refusal of a database whose schema is too new for code that knows this many migrations. */
export const databaseNewer = (versions: { readonly known: number; readonly needed: number }) =>
  new MigrationError({ reason: Reason.cases.DatabaseNewer.make(versions) })

/** The refusal of a database of a build before the first release. */
export const unreleased = () => new MigrationError({ reason: Reason.cases.Unreleased.make({}) })

/** The refusal of a copy that is not complete. */
export const copyUnfinished = () =>
  new MigrationError({ reason: Reason.cases.CopyUnfinished.make({}) })

/** The failure when waiting for another process took too long. */
export const busy = () => new MigrationError({ reason: Reason.cases.Busy.make({}) })

/** The refusal of a database in which a table of ours would take the name of another. */
export const tableTaken = (taken: { readonly table: string; readonly place: string }) =>
  new MigrationError({ reason: Reason.cases.TableTaken.make(taken) })

/** What databases say when something would be made under a name that is taken. */
const takenWords =
  /(?:relation|table|index|view) "?([\w$]+)"? already exists|already an? \w+ named ([\w$]+)/

/** The name that a statement would have taken from somebody else. */
export const takenIn = ({ reason }: SqlError.SqlError): string | undefined => {
  const said = reason.cause instanceof Error ? reason.cause.message : ""
  const [, first, second] = takenWords.exec(said) ?? []
  return first ?? second
}

/** Whether a statement failed because of locks that others hold, so that it may succeed later. */
export const isLocked = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "LockTimeoutError" || reason._tag === "DeadlockError"

/** What the failure of a step means. A failure of the connection stays what it is. */
export const stepFailure =
  (migration: Named, step: number) =>
  (cause: SqlError.SqlError): MigrationError | SqlError.SqlError => {
    if (cause.reason._tag === "ConnectionError") return cause
    const named = { migration: migrationName(migration), cause }
    const reason = isLocked(cause)
      ? Reason.cases.Blocked.make(named)
      : Reason.cases.Failed.make({ ...named, step: step + 1 })
    return new MigrationError({ reason })
  }
