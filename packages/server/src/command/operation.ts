/**
 * Finds the settings, the store and the workspace that a command works with, and prints its
 * results.
 */
import type { Answer } from "@verbatim/client"
import { placeOf } from "@verbatim/embed/trouble"
import { Console, Effect, Option, References, Schema, Stream } from "effect"
import { configuration, type StoredConfiguration } from "../Configuration.ts"
import * as ExistingStore from "../ExistingStore.ts"
import { warnOfMisspelt } from "../SettingMistakes.ts"
import { operations } from "../Stores.ts"
import { call, callEach, orNone, pageMax } from "./ApiCalls.ts"
import { explainErrors } from "./explanation.ts"
import { filterFlag, makeSwitch, textArgument } from "./flags.ts"
import { refuse } from "./Refusal.ts"

/** Reads the configuration, and warns of misspelt variables once per command. */
export const readConfiguration = Effect.andThen(warnOfMisspelt, configuration)

/** Reads the configuration. Fails if the store is not persistent. */
export const readStored = Effect.gen(function* () {
  const settings = yield* readConfiguration
  const { database } = settings
  if (database._tag !== "Memory") {
    const stored: StoredConfiguration = { ...settings, database }
    return stored
  }
  return yield* refuse("An in-memory store can be used only by its own server.")
})

/** Runs a command on the configured store, which is created if it is missing. */
const withStore = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>) {
  return yield* Effect.provide(command, operations(yield* readStored))
})

/** Reads the configuration. Fails if the store does not exist. */
export const readExisting = Effect.gen(function* () {
  const settings = yield* readStored
  if (!(yield* ExistingStore.exists(settings.database))) {
    const place = placeOf(settings.database)
    const advice = "Check VERBATIM_DATA_DIR and VERBATIM_DATABASE_URL; `serve` creates one."
    return yield* refuse(`There is no Verbatim store in ${place}. ${advice}`)
  }
  return settings
})

/** Hides log lines at the info level, because the output of a command already says the same. */
export const quiet = Effect.updateService(References.MinimumLogLevel, (level) =>
  level === "Info" ? "Warn" : level
)

/**
 * Runs a command on the store, which is created if it is missing, and explains the command's
 * errors.
 */
export const onStore = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  explainErrors(withStore(command))

/** Lists all workspaces. Deleted ones are included, because they keep their ledgers. */
export const listAccounts = callEach(({ workspaces }) => workspaces.list({ limit: pageMax }))

/** A workspace as the API returns it. */
export type Account = Answer<"workspaces.get">

const isInUse = ({ status }: Account): boolean => status === "active" || status === "disabled"

/**
 * Returns the workspace with a given id, external id or name. Without an argument, returns the only
 * workspace that is not deleted.
 */
export const findWorkspace = Effect.fnUntraced(function* (given: string | undefined) {
  if (given !== undefined) return yield* findAccount(given)
  const [only, ...others] = yield* listAccounts.pipe(
    Stream.filter(isInUse),
    Stream.take(2),
    Stream.runCollect
  )
  if (only === undefined) {
    return yield* refuse("There is no workspace yet. Start the server once to create one.")
  }
  if (others.length > 0) {
    return yield* refuse(
      "There are several workspaces. Choose one from `verbatim workspaces list` with --workspace."
    )
  }
  return only
})

const isUuid = Schema.is(Schema.String.check(Schema.isUUID()))

const readById = (id: string) => orNone(call(({ workspaces }) => workspaces.get(id)))

/** Finds a workspace by its external id or, if no external id matches, by its name. */
const findByOtherName = Effect.fnUntraced(function* (given: string) {
  const named = yield* listAccounts.pipe(
    Stream.filter(({ external_id, name }) => external_id === given || name === given),
    Stream.runCollect
  )
  const external = named.find(({ external_id }) => external_id === given)
  if (external !== undefined) return external
  const inUse = named.filter(isInUse)
  const [only, ...others] = inUse.length > 0 ? inUse : named
  if (only === undefined) {
    return yield* refuse(`There is no workspace ${printable(given)}.`)
  }
  if (others.length === 0) return only
  const ids = [only, ...others].map(({ id }) => id).join(", ")
  return yield* refuse(
    `Several workspaces are named ${quoted(given)}. Use one of these ids: ${ids}.`
  )
})

/** Returns the workspace with an id, external id or name, and its balance. */
export const findAccount = Effect.fnUntraced(function* (given: string) {
  const found = isUuid(given) ? yield* readById(given) : Option.none()
  return Option.isSome(found) ? found.value : yield* findByOtherName(given)
})

/** The flag for the workspace in which a command acts. */
export const workspaceFlag = filterFlag(
  "workspace",
  "Workspace id, external id or name (optional if there is only one)"
)

/** The flag that restricts a command to one workspace. Without it, the command acts on all. */
export const anyWorkspaceFlag = filterFlag(
  "workspace",
  "Workspace id, external id or name (default: all workspaces)"
)

/** The argument that names the workspace to read or change. */
export const workspaceArgument = textArgument("id", "Id, external id or name of a workspace")

/** Prints JSON on one line. */
export const printJson = (answer: unknown) => Console.log(JSON.stringify(answer))

/** Prints an API response, as JSON on one line or as text. */
export const print = <A>(json: boolean, answer: A, toText: (answer: A) => string) =>
  json ? printJson(answer) : Console.log(toText(answer))

/** Formats values with their names, one per line. */
export const tabulate = (rows: Readonly<Record<string, string | number>>): string =>
  Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(16)} ${value}`)
    .join("\n")

export const jsonFlag = makeSwitch("json", "Print JSON, one object per line")

/** Matches invisible characters, and characters that move the cursor. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const escapeCharacter = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** Escapes characters in untrusted text that would be harmful or invisible on a terminal. */
export const printable = (text: string): string => text.replace(unseen, escapeCharacter)

/**
 * Puts untrusted text in quotes, for use within a line, and escapes harmful or invisible
 * characters.
 */
export const quoted = (text: string): string => `"${printable(text).replaceAll('"', '\\"')}"`
