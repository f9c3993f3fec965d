/**
 * `verbatim copy`: everything of one store into another database.
 */
import { SchemaName, StoreCopy } from "@verbatim/adapters/sql"
import { placeOf } from "@verbatim/embed/trouble"
import { Config, Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { type DatabaseLocation, locationOf, urlForms } from "../DatabaseLocation.ts"
import * as ExistingStore from "../ExistingStore.ts"
import * as Misspelling from "../Misspelling.ts"
import { type Ends, explainCopy } from "./copyTrouble.ts"
import { Misuse, Refusal } from "./Refusal.ts"
import { makeSwitch } from "./SwitchFlag.ts"

/** Where a store that outlives its process can be. */
type Place = Exclude<DatabaseLocation, { readonly _tag: "Memory" }>

/** A URL with a password is better read from a variable: everybody can list arguments. */
const variablePrefix = "env:"

const misuse = (sentence: string) => Effect.fail(new Misuse({ sentence }))

const readUrl = Effect.fnUntraced(function* (flag: string, given: string) {
  if (!given.startsWith(variablePrefix)) return given
  const name = given.slice(variablePrefix.length)
  const value = yield* Config.String(name).pipe(
    Config.withDefault(""),
    Effect.mapError(() => new Misuse({ sentence: `${flag}: no variable is called like that.` }))
  )
  if (value === "") return yield* misuse(`${flag}: the variable ${name} is not set.`)
  return value
})

/** An end of a copy, as its flags have it. */
interface Given {
  readonly flag: "--from" | "--to"
  readonly url: string
  readonly schema: string | undefined
}

const readPlace = Effect.fnUntraced(function* ({ flag, schema, url: given }: Given) {
  const problem = SchemaName.problemOf(schema)
  if (problem !== undefined) return yield* misuse(`${flag}: ${problem}`)
  const url = yield* readUrl(flag, given)
  const location = Option.getOrUndefined(locationOf(Redacted.make(url)))
  if (location === undefined) return yield* misuse(`${flag}: expected ${urlForms}.`)
  if (location._tag === "Memory") {
    return yield* misuse(`${flag}: a store in memory belongs to its server alone.`)
  }
  if (location._tag === "Sqlite" && schema !== undefined) {
    return yield* misuse(`${flag}: SQLite has no schemas.`)
  }
  return { ...location, ...(schema === undefined ? {} : { schema }) }
})

/** Read where something is copied: other commands start earlier without both databases. */
const readCopies = Effect.promise(async () => {
  const [{ SqliteCopy }, { PostgresCopy }] = await Promise.all([
    import("@verbatim/adapters/sqlite"),
    import("@verbatim/adapters/postgres")
  ])
  return {
    sourceOf: (place: Place, options: { readonly isInUse: boolean }) =>
      place._tag === "Sqlite"
        ? SqliteCopy.source(place, options)
        : PostgresCopy.source(place, options),
    targetOf: (place: Place) =>
      place._tag === "Sqlite" ? SqliteCopy.target(place) : PostgresCopy.target(place)
  }
})

/** Between two lines about one table. */
const reportRows = 100_000

/** Tells of each table once, and of a long one now and then. */
const makeReport = () => {
  let told = 0
  return ({ isDone, rows, table }: StoreCopy.Progress): Effect.Effect<void> => {
    if (!isDone && rows - told < reportRows) return Effect.void
    told = isDone ? 0 : rows
    return Console.log(`${table.padEnd(30)} ${String(rows).padStart(10)}${isDone ? "" : " …"}`)
  }
}

const mustBeThere = Effect.fnUntraced(function* (place: Place) {
  if (yield* ExistingStore.isThere(place)) return
  const sentence = `There is no store of Verbatim in ${placeOf(place)}: nothing was copied.`
  return yield* new Refusal({ sentence })
})

const run = Effect.fnUntraced(function* ({ from, to }: Ends<Place>, isInUse: boolean) {
  yield* mustBeThere(from)
  yield* Console.log(`Copying ${placeOf(from)} to ${placeOf(to)}`)
  const { sourceOf, targetOf } = yield* readCopies
  const copying = {
    source: sourceOf(from, { isInUse }),
    target: targetOf(to),
    report: makeReport()
  }
  const tally = yield* StoreCopy.copyStore(copying)
  yield* Console.log("Complete: every count and the sums of the ledgers agree.")
  const wrong = tally.get(StoreCopy.unbalanced) ?? "0"
  if (wrong === "0") return
  yield* Console.error(`The source has ${wrong} ${StoreCopy.unbalanced}; so has the copy.`)
})

/** The schema of the tables of an end. */
const schemaOf = (end: "from" | "to") =>
  Flag.String(`${end}-schema`).pipe(
    Flag.withDescription(`VERBATIM_DATABASE_SCHEMA of the store --${end}`),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

/** The command. */
export const copy = Command.make(
  "copy",
  {
    from: Flag.String("from").pipe(
      Flag.withDescription("URL of the store, or env:NAME for a variable that holds it")
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("URL of an empty database; a missing file is made. Or env:NAME")
    ),
    fromSchema: schemaOf("from"),
    toSchema: schemaOf("to"),
    snapshot: makeSwitch(
      "snapshot",
      "Copy a store that is in use, as it is at this moment: for a backup"
    )
  },
  Effect.fn(function* (flags) {
    yield* Misspelling.warn
    const ends = {
      from: yield* readPlace({ flag: "--from", url: flags.from, schema: flags.fromSchema }),
      to: yield* readPlace({ flag: "--to", url: flags.to, schema: flags.toSchema })
    }
    yield* explainCopy(ends)(run(ends, flags.snapshot))
  })
).pipe(Command.withDescription("Copy a store into an empty database, of SQLite or Postgres"))
