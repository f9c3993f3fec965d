/**
 * Why a store was not copied, in a sentence for the operator that names the end it is about.
 */
import { Migrations, StoreCopy } from "@verbatim/adapters/sql"
import { causesOf, databaseSentence, migrationSentence, placeOf } from "@verbatim/embed/trouble"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { type DatabaseLocation, schemaVariable } from "../DatabaseLocation.ts"
import { Refusal } from "./Refusal.ts"

/** What is copied where. */
export interface Ends<Place extends DatabaseLocation = DatabaseLocation> {
  readonly from: Place
  readonly to: Place
}

const databaseFailure = (location: DatabaseLocation, cause: unknown): string => {
  const failed = causesOf(cause).find(SqlError.isSqlError)
  return failed === undefined
    ? `The database ${placeOf(location)} cannot be used.`
    : databaseSentence(location, failed)
}

/** What to do so that this version finds its own tables there. */
const upgrade =
  "Upgrade it first: start this version's server on it once, or run `verbatim workspaces list` " +
  "with its URL in VERBATIM_DATABASE_URL."

const again = "Nothing is lost: run the command again."

const sentenceOf = ({ reason }: StoreCopy.CopyError, { from, to }: Ends): string => {
  const [source, target] = [placeOf(from), placeOf(to)]
  switch (reason._tag) {
    case "SourceBehind":
      return `The store ${source} belongs to an older version of Verbatim. ${upgrade}`
    case "SourceNewer":
      return `The store ${source} belongs to a newer version of Verbatim: copy it with that one.`
    case "SourceUnfinished":
      return `The store ${source} is itself a copy that is not complete: nothing was copied.`
    case "SourceInUse":
      return (
        `The store ${source} is in use: stop every process first, because what they write from ` +
        "now on would be in no copy. For a backup of a store in use, add --snapshot."
      )
    case "SameStore":
      return `--from and --to are one and the same store: ${source}.`
    case "TargetNotEmpty":
      return (
        `The database ${target} is not empty: it has rows in ${reason.table}. A copy needs a new ` +
        "file, or an empty database."
      )
    case "TargetNewer":
      return `The database ${target} belongs to a newer version of Verbatim: copy with that one.`
    case "TargetInUse":
      return `Another process writes to ${target}: stop it. ${again}`
    case "Unstorable":
      return (
        `The row ${reason.key} of ${reason.table} has a text with a NUL character, which ` +
        `${target} cannot hold: nothing was copied.`
      )
    case "Different":
      return (
        `The copy was undone, because the ends differ in ${reason.what}: ${reason.source} in ` +
        `${source}, ${reason.target} in ${target}.`
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
  if (error instanceof Migrations.MigrationError) {
    return new Refusal({ sentence: migrationSentence(ends.to, error, schemaVariable) })
  }
  // Whether there is a store is asked before the copy begins.
  if (!SqlError.isSqlError(error)) return undefined
  return new Refusal({ sentence: databaseSentence(ends.from, error) })
}

/** Gives a sentence to failures that an operator can mend. */
export const explainCopy =
  (ends: Ends) =>
  <A, E, R>(self: Effect.Effect<A, E | Explained, R>) =>
    Effect.mapError(self, (error) => toRefusal(error, ends) ?? (error as Exclude<E, Explained>))
