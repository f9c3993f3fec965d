/** Copies a database into an empty one, and explains errors that an operator can fix. */
import { type Migrations, StoreCopy } from "@verbatim/adapters/sql"
import { explainDatabaseError, placeOf } from "@verbatim/embed/trouble"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { Refusal } from "../command/Refusal.ts"
import { type DatabaseLocation, type StoredLocation, schemaVariable } from "../DatabaseLocation.ts"

export interface Ends {
  readonly from: StoredLocation
  readonly to: StoredLocation
}

/** Loads both database adapters on first use, so that other commands start earlier. */
const readCopies = Effect.promise(async () => {
  const [{ SqliteCopy }, { PostgresCopy }] = await Promise.all([
    import("@verbatim/adapters/sqlite"),
    import("@verbatim/adapters/postgres")
  ])
  return {
    sourceOf: (place: StoredLocation, options: { readonly isInUse: boolean }) =>
      place._tag === "Sqlite"
        ? SqliteCopy.source(place, options)
        : PostgresCopy.source(place, options),
    targetOf: (place: StoredLocation) =>
      place._tag === "Sqlite" ? SqliteCopy.target(place) : PostgresCopy.target(place)
  }
})

interface DatabaseCopyOptions {
  /** Whether other processes can use the source. */
  readonly isInUse: boolean
  readonly report: (progress: StoreCopy.Progress) => Effect.Effect<void>
}

const copyRows = Effect.fnUntraced(function* (
  { from, to }: Ends,
  { isInUse, report }: DatabaseCopyOptions
) {
  const { sourceOf, targetOf } = yield* readCopies
  return yield* StoreCopy.copyStore({
    source: sourceOf(from, { isInUse }),
    target: targetOf(to),
    report
  })
})

/** Copies a database, and explains errors. */
export const copyDatabase = (ends: Ends, options: DatabaseCopyOptions) =>
  explainCopyErrors(ends)(copyRows(ends, options))

const databaseFailure = (location: DatabaseLocation, cause: unknown): string =>
  explainDatabaseError(location, cause) ?? `The database ${placeOf(location)} cannot be used.`

/** Advice on how to migrate a store so that this version can copy it. */
const upgrade =
  "Upgrade it first: start this version's server on it once, or run `verbatim workspaces list` " +
  "with its URL in VERBATIM_DATABASE_URL."

const again = "Nothing is lost; run the command again."

const sentenceOf = ({ reason }: StoreCopy.CopyError, { from, to }: Ends): string => {
  const [source, target] = [placeOf(from), placeOf(to)]
  switch (reason._tag) {
    case "SourceBehind":
      return `The store ${source} belongs to an older version of Verbatim. ${upgrade}`
    case "SourceNewer":
      return (
        `The store ${source} belongs to a newer version of Verbatim. Use that version to copy ` +
        "the store."
      )
    case "SourceUnfinished":
      return `The store ${source} is an incomplete copy. Nothing was copied.`
    case "SourceInUse":
      return (
        `The store ${source} is in use. Stop all processes first: the copy would lack what they ` +
        "write from now on. To back up a store in use, add --snapshot."
      )
    case "SameStore":
      return `--from and --to are the same store: ${source}.`
    case "TargetNotEmpty":
      return (
        `The database ${target} is not empty: it has rows in ${reason.table}. Copy into a new ` +
        "file or an empty database."
      )
    case "TargetNewer":
      return (
        `The database ${target} belongs to a newer version of Verbatim. Use that version to ` +
        "copy the store."
      )
    case "TargetInUse":
      return `Another process is writing to ${target}. Stop it. ${again}`
    case "Unstorable":
      return (
        `Row ${reason.key} of ${reason.table} contains a NUL character, which ${target} ` +
        "cannot store. Nothing was copied."
      )
    case "Different":
      return (
        `The copy was rolled back because the stores differ in ${reason.what}: ${reason.source} ` +
        `in ${source}, ${reason.target} in ${target}.`
      )
    case "SourceFailed":
      return `${databaseFailure(from, reason.cause)} ${again}`
    case "TargetFailed":
      return `${databaseFailure(to, reason.cause)} ${again}`
  }
}

type Explained = Migrations.MigrationError | SqlError.SqlError | StoreCopy.CopyError

const toRefusal = (error: unknown, ends: Ends): Refusal | undefined => {
  if (error instanceof StoreCopy.CopyError) {
    return new Refusal({ sentence: sentenceOf(error, ends) })
  }
  // An `SqlError` comes from the check that the source exists. The copy itself fails with other
  // errors.
  const place = SqlError.isSqlError(error) ? ends.from : ends.to
  const sentence = explainDatabaseError(place, error, schemaVariable)
  return sentence === undefined ? undefined : new Refusal({ sentence })
}

/** Converts errors that an operator can fix to sentences. */
export const explainCopyErrors =
  (ends: Ends) =>
  <A, E, R>(self: Effect.Effect<A, E | Explained, R>) =>
    Effect.mapError(self, (error) => toRefusal(error, ends) ?? (error as Exclude<E, Explained>))
