/**
 * `verbatim workspaces rename|disable|enable|limit|keywords|delete`: changes or deletes a
 * workspace.
 */
import type { Answer, Body } from "@verbatim/client"
import { Workspaces } from "@verbatim/core/services"
import {
  fromText,
  type Keywords,
  keywordsRule,
  readKeywords,
  WorkspaceId
} from "@verbatim/core/workspace"
import { Effect, Option, Struct } from "effect"
import { Flag } from "effect/cli"
import { call } from "./ApiCalls.ts"
import { makeOperatorCommand } from "./ApiFlags.ts"
import { limitFlags, makeSwitch, nameOf, readLimits, showLimits } from "./flags.ts"
import { type Account, findAccount, printable, quoted, workspaceArgument } from "./operation.ts"
import { misuse, Refusal } from "./Refusal.ts"

type Workspace = Answer<"workspaces.revise">

export type Change = Body<"workspaces.revise">

/** Refuses to change a deleted workspace. */
const refuseDeleted = ({ id, status }: Workspace) => {
  const standing = status === "deleted" ? "is deleted" : "is being deleted"
  return new Refusal({ sentence: `The workspace ${id} ${standing}.` })
}

/** Whether a workspace's deletion has begun. */
export const isDeleted = ({ status }: Workspace): boolean =>
  status === "deleting" || status === "deleted"

/** Changes a workspace that is not deleted. */
export const change = Effect.fnUntraced(function* (given: string, changes: Change) {
  const account = yield* findAccount(given)
  if (isDeleted(account)) return yield* refuseDeleted(account)
  return yield* call(({ workspaces }) => workspaces.revise(account.id, changes))
})

const describeState = ({ id, name, status }: Workspace): string =>
  `${id} is ${status}: ${quoted(name)}.`

export const rename = makeOperatorCommand("rename", {
  description: "Rename a workspace",
  flags: { id: workspaceArgument, name: nameOf },
  run: ({ id, name }) => change(id, { name }),
  text: describeState
})

const makeStatusCommand = (
  name: string,
  status: NonNullable<Change["status"]>,
  description: string
) =>
  makeOperatorCommand(name, {
    description,
    flags: { id: workspaceArgument },
    run: ({ id }) => change(id, { status }),
    text: describeState
  })

export const disable = makeStatusCommand(
  "disable",
  "disabled",
  "Refuse the keys of a workspace; its jobs continue"
)

export const enable = makeStatusCommand("enable", "active", "Accept the keys of a workspace again")

/** Rejects a command that changes nothing. */
export const mustChangeSomething = (changes: object, sentence: string) =>
  Struct.keys(changes).length === 0 ? misuse(sentence) : Effect.void

const limitRule = "Give --requests-per-second, --unfinished-jobs or --minutes-per-day."

export const limit = makeOperatorCommand("limit", {
  description: "Set limits of a workspace; other limits stay unchanged",
  flags: { id: workspaceArgument, ...limitFlags },
  run: ({ id, ...flags }) => {
    const limits = readLimits(flags)
    return Effect.andThen(mustChangeSomething(limits, limitRule), change(id, { limits }))
  },
  text: ({ id, limits }) => `${id}: ${showLimits(limits) || "no limits"}.`
})

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`

/** Describes what is deleted together with a workspace, and what is kept. */
const describeLoss = Effect.fnUntraced(function* ({ balance_minutes, id, name }: Account) {
  const { data: keys } = yield* call(({ workspaces }) => workspaces.keys.list(id))
  const secrets = yield* countSecrets(id)
  const contents = [
    count(keys.length, "key"),
    ...Option.toArray(Option.map(secrets, (number) => count(number, "webhook secret"))),
    "its presets, and its jobs with their media and transcripts"
  ].join(", ")
  const kept = `The ledger stays (${balance_minutes} minutes).`
  return `This deletes ${quoted(name)} with ${contents}. ${kept}`
})

/** Counts a workspace's webhook secrets, which a server's API does not list. */
export const countSecrets = Effect.fnUntraced(function* (id: string) {
  const workspaces = yield* Effect.serviceOption(Workspaces)
  if (Option.isNone(workspaces)) return Option.none<number>()
  const secrets = yield* workspaces.value.webhookSecrets(WorkspaceId.make(id))
  return Option.some(secrets.length)
})

const removeWorkspace = Effect.fnUntraced(function* (given: string, isSure: boolean) {
  const account = yield* findAccount(given)
  const loss = yield* describeLoss(account)
  if (isDeleted(account)) return yield* refuseDeleted(account)
  if (!isSure) return yield* misuse(`${loss} Pass --yes to confirm.`)
  return { removed: yield* call(({ workspaces }) => workspaces.remove(account.id)), loss }
})

/** Starts the deletion of a workspace. */
export const remove = makeOperatorCommand("delete", {
  description: "Delete a workspace and its contents; the ledger stays",
  flags: {
    id: workspaceArgument,
    yes: makeSwitch("yes", "Confirm the deletion; otherwise only show what would be deleted")
  },
  run: ({ id, yes }) => removeWorkspace(id, yes),
  answer: ({ removed }) => removed,
  text: ({ loss, removed }) => `${removed.id} is being deleted. ${loss}`
})

/** The argument that removes all keywords. To use this word as a keyword, write it as JSON. */
const none = "none"

const parseKeywords = (text: string): Option.Option<Keywords> =>
  text === none ? Option.some([]) : readKeywords(fromText(text))

const toFlag = Flag.String("to").pipe(
  Flag.withDescription(`All keywords, separated by commas or as a JSON list, or ${none}`),
  Flag.filterMap(parseKeywords, () => `${keywordsRule}; or ${none}`)
)

/** Formats keywords as one line, which is empty if there are no keywords. */
export const showKeywords = (keywords: ReadonlyArray<string>): string =>
  keywords.map((word) => (word.includes(",") ? quoted(word) : printable(word))).join(", ")

export const keywords = makeOperatorCommand("keywords", {
  description: "Set the words and names to expect in a workspace's recordings",
  flags: { id: workspaceArgument, to: toFlag },
  run: ({ id, to }) => change(id, { keywords: to }),
  text: ({ id, keywords }) => `${id}: ${showKeywords(keywords) || "no keywords"}.`
})
