/** `verbatim copy`: copies a whole store into another database. */

import { SchemaName, StoreCopy } from "@verbatim/adapters/sql"
import { placeOf } from "@verbatim/embed/trouble"
import { Config, Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { copyDatabase, type Ends, explainCopyErrors } from "../backup/DatabaseCopy.ts"
import { locationOf, type StoredLocation, urlForms } from "../DatabaseLocation.ts"
import * as ExistingStore from "../ExistingStore.ts"
import { warnOfMisspelt } from "../SettingMistakes.ts"
import { makeSwitch, textFlag } from "./flags.ts"
import { jsonFlag, print } from "./operation.ts"
import { misuse, refuse } from "./Refusal.ts"

/**
 * A flag's value with this prefix names a variable that contains the URL. Every user of the machine
 * can see the arguments of a process, and a URL can contain a password.
 */
const variablePrefix = "env:"

const readUrl = Effect.fnUntraced(function* (flag: string, given: string) {
  if (!given.startsWith(variablePrefix)) return given
  const name = given.slice(variablePrefix.length)
  const value = yield* Config.String(name).pipe(
    Config.withDefault(""),
    Effect.catch(() => misuse(`${flag}: this is not the name of a variable.`))
  )
  if (value === "") return yield* misuse(`${flag}: the variable ${name} is not set.`)
  return value
})

/** The values of the flags for the source or the target. */
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
    return yield* misuse(`${flag}: an in-memory store can be used only by its own server.`)
  }
  if (location._tag === "Sqlite" && schema !== undefined) {
    return yield* misuse(`${flag}: SQLite has no schemas.`)
  }
  return { ...location, ...(schema === undefined ? {} : { schema }) }
})

/** Number of rows between two progress lines for the same table. */
const reportRows = 100_000

/** Reports every table once, and the progress within a long table. */
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
  return yield* refuse(`There is no Verbatim store in ${placeOf(place)}. Nothing was copied.`)
})

const run = Effect.fnUntraced(function* (
  ends: Ends,
  { json, snapshot: isInUse }: { readonly json: boolean; readonly snapshot: boolean }
) {
  const { from, to } = ends
  yield* explainCopyErrors(ends)(mustExist(from))
  const places = { from: placeOf(from), to: placeOf(to) }
  if (!json) yield* Console.log(`Copying ${places.from} to ${places.to}`)
  const report = json ? () => Effect.void : makeReport()
  const totals = yield* copyDatabase(ends, { isInUse, report })
  yield* print(
    json,
    { ...places, counts: Object.fromEntries(totals) },
    () => "Complete: all row counts and ledger sums match."
  )
  const wrong = totals.get(StoreCopy.unbalancedLedgers) ?? "0"
  if (wrong === "0") return
  yield* Console.error(`The source has ${wrong} ${StoreCopy.unbalancedLedgers}; so does the copy.`)
})

/** Creates the schema flag of the source or the target. */
const schemaOf = (end: "from" | "to") =>
  textFlag(`${end}-schema`, `Schema of the --${end} store, if it is not the default one`)

export const copy = Command.make(
  "copy",
  {
    from: Flag.String("from").pipe(
      Flag.withDescription("Store URL, or env:NAME to read the URL from a variable")
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("URL of an empty database (a missing file is created), or env:NAME")
    ),
    fromSchema: schemaOf("from"),
    toSchema: schemaOf("to"),
    snapshot: makeSwitch("snapshot", "Copy the current state of a store in use, for a backup"),
    json: jsonFlag
  },
  Effect.fn(function* (flags) {
    yield* warnOfMisspelt
    const ends = {
      from: yield* readLocation({ flag: "--from", url: flags.from, schema: flags.fromSchema }),
      to: yield* readLocation({ flag: "--to", url: flags.to, schema: flags.toSchema })
    }
    yield* run(ends, flags)
  })
).pipe(Command.withDescription("Copy a store into an empty SQLite or Postgres database"))
