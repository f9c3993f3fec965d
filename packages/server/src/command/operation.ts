/**
 * What the operator's commands share: the settings, the store that they name, and the workspace
 * that a command is about.
 */
import type { Answer } from "@verbatim/client"
import { placeOf } from "@verbatim/embed/trouble"
import { Console, Effect, Option, References, Stream } from "effect"
import { Argument, Flag } from "effect/cli"
import { configuration } from "../Configuration.ts"
import * as ExistingStore from "../ExistingStore.ts"
import { warnOfMisspelt } from "../SettingMistakes.ts"
import { operations } from "../Stores.ts"
import { call, callEach, pageMax } from "./ApiCalls.ts"
import { explainErrors } from "./explanation.ts"
import { makeSwitch } from "./flags.ts"
import { Refusal } from "./Refusal.ts"

/** The configuration, once for each command, which warns of misspelt variables. */
export const readConfiguration = Effect.andThen(warnOfMisspelt, configuration)

/** The configuration of a store that outlives its process. */
export const readStored = Effect.gen(function* () {
  const settings = yield* readConfiguration
  if (settings.database._tag !== "Memory") return settings
  return yield* new Refusal({ sentence: "Only its own server can use an in-memory store." })
})

/** Runs a command against the store that the configuration names, which is made where it is not. */
const withStore = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>) {
  return yield* Effect.provide(command, operations(yield* readStored))
})

/** The configuration of a store that is there already. */
export const readExisting = Effect.gen(function* () {
  const settings = yield* readStored
  if (!(yield* ExistingStore.isThere(settings.database))) {
    const place = placeOf(settings.database)
    const advice = "Check VERBATIM_DATA_DIR and VERBATIM_DATABASE_URL; `serve` creates one."
    return yield* new Refusal({ sentence: `There is no Verbatim store in ${place}. ${advice}` })
  }
  return settings
})

/** What a server logs is for its operator; of a command its sentences say it. */
export const quiet = Effect.updateService(References.MinimumLogLevel, (level) =>
  level === "Info" ? "Warn" : level
)

/** Ends a command that makes its store where there is none. */
export const onStore = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  explainErrors(withStore(command))

/** Every workspace, deleted ones too: their ledgers stay. */
export const listAccounts = callEach(({ workspaces }) => workspaces.list({ limit: pageMax }))

/** A workspace as the API tells of it. */
export type Account = Answer<"workspaces.get">

const isInUse = ({ status }: Account): boolean => status === "active" || status === "disabled"

/** The workspace with that id, or the only one that is not deleted. */
export const findWorkspace = Effect.fnUntraced(function* (id: Option.Option<string>) {
  if (Option.isSome(id)) return yield* findAccount(id.value)
  const [only, ...others] = yield* listAccounts.pipe(
    Stream.filter(isInUse),
    Stream.take(2),
    Stream.runCollect
  )
  if (only === undefined) {
    const sentence = "There is no workspace yet. Start the server once to create one."
    return yield* new Refusal({ sentence })
  }
  if (others.length > 0) {
    const sentence = "There are several workspaces. Choose one with --workspace <id>."
    return yield* new Refusal({ sentence })
  }
  return only
})

/** The workspace with that id, and what it has left. */
export const findAccount = (id: string) =>
  Effect.catchIf(
    call(({ workspaces }) => workspaces.get(id)),
    ({ reason }) => reason === "NotFound",
    () => Effect.fail(new Refusal({ sentence: `There is no workspace ${id}.` }))
  )

/** The flag of commands about something that belongs to a workspace. */
export const workspaceFlag = Flag.String("workspace").pipe(
  Flag.withDescription("Workspace id (optional if there is only one)"),
  Flag.optional
)

/** The argument of commands about a workspace itself. */
export const workspaceArgument = Argument.String("id").pipe(
  Argument.withDescription("Workspace id, from `verbatim workspaces list`")
)

/** Prints JSON for programs in a line. */
export const printJson = (answer: unknown) => Console.log(JSON.stringify(answer))

/** Prints an answer of the API: as JSON in a line, or as a text for people. */
export const print = <A>(json: boolean, answer: A, toText: (answer: A) => string) =>
  json ? printJson(answer) : Console.log(toText(answer))

/** Values by their names, one in a line. */
export const tabulate = (rows: Readonly<Record<string, string | number>>): string =>
  Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(16)} ${value}`)
    .join("\n")

/** Whether the answer is printed as it is. */
export const jsonFlag = makeSwitch("json", "Print JSON, one object per line")

/** Characters that move the cursor, or that nobody sees. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const escapeCharacter = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** A text that somebody else wrote, harmless on a terminal. */
export const printable = (text: string): string => text.replace(unseen, escapeCharacter)

/** The same in quotes, among other things in a row. */
export const quoted = (text: string): string => `"${printable(text).replaceAll('"', '\\"')}"`
