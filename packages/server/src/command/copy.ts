/** `verbatim copy`: copies a whole store into another database. */

import { Migrations, SchemaName, StoreCopy } from "@verbatim/adapters/sql"
import { causesOf, databaseSentence, migrationSentence, placeOf } from "@verbatim/embed/trouble"
import { Config, Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlError } from "effect/sql"
import {
  type DatabaseLocation,
  locationOf,
  type StoredLocation,
  schemaVariable,
  urlForms
} from "../DatabaseLocation.ts"
import * as ExistingStore from "../ExistingStore.ts"
import { warnOfMisspelt } from "../SettingMistakes.ts"
import { makeSwitch } from "./flags.ts"
import { jsonFlag, print } from "./operation.ts"
import { Misuse, Refusal } from "./Refusal.ts"

/** Reads the URL from a variable, because all users of a machine can list a process's arguments. */
const variablePrefix = "env:"

const misuse = (sentence: string) => Effect.fail(new Misuse({ sentence }))

const readUrl = Effect.fnUntraced(function* (flag: string, given: string) {
  if (!given.startsWith(variablePrefix)) return given
  const name = given.slice(variablePrefix.length)
  const value = yield* Config.String(name).pipe(
    Config.withDefault(""),
    Effect.mapError(() => new Misuse({ sentence: `${flag}: this is not the name of a variable.` }))
  )
  if (value === "") return yield* misuse(`${flag}: the variable ${name} is not set.`)
  return value
})

/** Flags for the source or the target. */
interface EndFlags {
  readonly flag: "--from" | "--to"
  readonly url: string
  readonly schema: string | undefined
}

const readLocation = Effect.fnUntraced(function* ({ flag, schema, url: given }: EndFlags) {
  const problem = SchemaName.problemOf(schema)
  if (problem !== undefined) return yield* misuse(`${flag}: ${problem}`)
  const url = yield* readUrl(flag, given)
  const location = Option.getOrUndefined(locationOf(Redacted.make(url)))
  if (location === undefined) return yield* misuse(`${flag}: expected ${urlForms}.`)
  if (location._tag === "Memory") {
    return yield* misuse(`${flag}: only its own server can use an in-memory store.`)
  }
  if (location._tag === "Sqlite" && schema !== undefined) {
    return yield* misuse(`${flag}: SQLite has no schemas.`)
  }
  return { ...location, ...(schema === undefined ? {} : { schema }) }
})

/** Loads both adapters when they are used, so that other commands start earlier. */
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

/** The number of rows between two lines about one table. */
const reportRows = 100_000

/** Reports each table once, and the progress of a long table repeatedly. */
const makeReport = () => {
  let reportedRows = 0
  return ({ isDone, rows, table }: StoreCopy.Progress): Effect.Effect<void> => {
    if (!isDone && rows - reportedRows < reportRows) return Effect.void
    reportedRows = isDone ? 0 : rows
    return Console.log(`${table.padEnd(30)} ${String(rows).padStart(10)}${isDone ? "" : " …"}`)
  }
}

const mustExist = Effect.fnUntraced(function* (place: StoredLocation) {
  if (yield* ExistingStore.exists(place)) return
  const sentence = `There is no Verbatim store in ${placeOf(place)}. Nothing was copied.`
  return yield* new Refusal({ sentence })
})

/** How a database is copied. */
interface DatabaseCopyOptions {
  /** Whether other processes can use the source. */
  readonly isInUse: boolean
  readonly report: (progress: StoreCopy.Progress) => Effect.Effect<void>
}

const copyRows = Effect.fnUntraced(function* (
  { from, to }: Ends<StoredLocation>,
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
export const copyDatabase = (ends: Ends<StoredLocation>, options: DatabaseCopyOptions) =>
  explainCopyErrors(ends)(copyRows(ends, options))

const run = Effect.fnUntraced(function* (
  { from, to }: Ends<StoredLocation>,
  { json, snapshot: isInUse }: { readonly json: boolean; readonly snapshot: boolean }
) {
  yield* mustExist(from)
  const places = { from: placeOf(from), to: placeOf(to) }
  if (!json) yield* Console.log(`Copying ${places.from} to ${places.to}`)
  const report = json ? () => Effect.void : makeReport()
  const totals = yield* copyRows({ from, to }, { isInUse, report })
  yield* print(
    json,
    { ...places, counts: Object.fromEntries(totals) },
    () => "Complete: all row counts and ledger sums match."
  )
  const wrong = totals.get(StoreCopy.unbalancedLedgers) ?? "0"
  if (wrong === "0") return
  yield* Console.error(`The source has ${wrong} ${StoreCopy.unbalancedLedgers}; so has the copy.`)
})

/** The schema flag of the source or the target. */
const schemaOf = (end: "from" | "to") =>
  Flag.String(`${end}-schema`).pipe(
    Flag.withDescription(`Schema of the --${end} store, if it is not the default one`),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

/** The command. */
export const copy = Command.make(
  "copy",
  {
    from: Flag.String("from").pipe(
      Flag.withDescription("Store URL, or env:NAME to read it from a variable")
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("URL of an empty database (a missing file is created), or env:NAME")
    ),
    fromSchema: schemaOf("from"),
    toSchema: schemaOf("to"),
    snapshot: makeSwitch("snapshot", "Copy a store in use as it is now, for a backup"),
    json: jsonFlag
  },
  Effect.fn(function* (flags) {
    yield* warnOfMisspelt
    const ends = {
      from: yield* readLocation({ flag: "--from", url: flags.from, schema: flags.fromSchema }),
      to: yield* readLocation({ flag: "--to", url: flags.to, schema: flags.toSchema })
    }
    yield* explainCopyErrors(ends)(run(ends, flags))
  })
).pipe(Command.withDescription("Copy a store into an empty SQLite or Postgres database"))

/** Source and target of a copy. */
export interface Ends<StoredLocation extends DatabaseLocation = DatabaseLocation> {
  readonly from: StoredLocation
  readonly to: StoredLocation
}

const databaseFailure = (location: DatabaseLocation, cause: unknown): string => {
  const failed = causesOf(cause).find(SqlError.isSqlError)
  return failed === undefined
    ? `The database ${placeOf(location)} cannot be used.`
    : databaseSentence(location, failed)
}

/** How to migrate the store so that this version can copy it. */
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
      return `The store ${source} belongs to a newer version of Verbatim; copy it with that one.`
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
      return `The database ${target} belongs to a newer version of Verbatim; copy with that one.`
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
  if (error instanceof Migrations.MigrationError) {
    return new Refusal({ sentence: migrationSentence(ends.to, error, schemaVariable) })
  }
  // The check that the source exists precedes the copy.
  if (!SqlError.isSqlError(error)) return undefined
  return new Refusal({ sentence: databaseSentence(ends.from, error) })
}

/** Explains errors that an operator can fix. */
const explainCopyErrors =
  (ends: Ends) =>
  <A, E, R>(self: Effect.Effect<A, E | Explained, R>) =>
    Effect.mapError(self, (error) => toRefusal(error, ends) ?? (error as Exclude<E, Explained>))
