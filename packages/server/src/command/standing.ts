/**
 * `verbatim workspaces rename|disable|enable|limit|delete`: what can happen to a workspace.
 */
import { ApiKeys, Workspaces } from "@verbatim/core/services"
import { statusOf, toMinutes, type Workspace, type WorkspaceChange } from "@verbatim/core/workspace"
import { Console, Effect, Struct } from "effect"
import { Command } from "effect/cli"
import { givenLimits, limitFlags, showLimits } from "./LimitFlags.ts"
import { onExistingStore, quoted, theAccount, workspaceArgument } from "./operation.ts"
import { Misuse, Refusal } from "./Refusal.ts"
import { makeSwitch } from "./SwitchFlag.ts"
import { nameOf } from "./WorkspaceFlags.ts"

/** What was asked for cannot happen any more. */
const refuseDeleted = ({ _tag, id }: Workspace) => {
  const standing = _tag === "Deleted" ? "is deleted" : "is being deleted"
  return new Refusal({ sentence: `The workspace ${id} ${standing}.` })
}

/** Whether its deletion has begun. */
export const isDeleted = ({ _tag }: Workspace): boolean => _tag === "Deleting" || _tag === "Deleted"

/** Changes a workspace that is not deleted. */
export const change = Effect.fnUntraced(function* (id: string, wish: WorkspaceChange) {
  const workspaces = yield* Workspaces
  const { workspace } = yield* theAccount(id)
  if (isDeleted(workspace)) return yield* refuseDeleted(workspace)
  return yield* workspaces.change(workspace.id, wish)
})

const tell = (workspace: Workspace) =>
  Console.log(`${workspace.id} is ${statusOf[workspace._tag]}: ${quoted(workspace.name)}.`)

/** Gives a workspace another name. */
export const rename = Command.make(
  "rename",
  { id: workspaceArgument, name: nameOf },
  Effect.fn(function* ({ id, name }) {
    yield* tell(yield* change(id, { name }))
  }, onExistingStore)
).pipe(Command.withDescription("Give a workspace another name"))

const makeStatusCommand = (
  name: string,
  {
    description,
    status
  }: { readonly description: string } & Required<Pick<WorkspaceChange, "status">>
) =>
  Command.make(
    name,
    { id: workspaceArgument },
    Effect.fn(function* ({ id }) {
      yield* tell(yield* change(id, { status }))
    }, onExistingStore)
  ).pipe(Command.withDescription(description))

/** Refuses the keys of a workspace. */
export const disable = makeStatusCommand("disable", {
  status: "disabled",
  description: "Refuse the keys of a workspace; its jobs go on"
})

/** Accepts the keys of a workspace again. */
export const enable = makeStatusCommand("enable", {
  status: "active",
  description: "Accept the keys of a workspace again"
})

/** Refuses a command that names nothing to change. */
export const mustWish = (wish: WorkspaceChange, sentence: string) =>
  Struct.keys(wish).length === 0 ? Effect.fail(new Misuse({ sentence })) : Effect.void

/** Sets limits of a workspace, and takes them away. */
export const limit = Command.make(
  "limit",
  { id: workspaceArgument, ...limitFlags },
  Effect.fn(function* ({ id, ...flags }) {
    const limits = givenLimits(flags)
    yield* mustWish(
      limits,
      "Name a limit: --requests-per-second, --unfinished-jobs, --minutes-per-day."
    )
    const changed = yield* change(id, limits)
    const shown = showLimits(changed)
    yield* Console.log(`${changed.id}: ${shown === "" ? "no limits" : shown}.`)
  }, onExistingStore)
).pipe(Command.withDescription("Set limits of a workspace; the others stay as they are"))

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`

/** What goes with a workspace, and what stays. */
const lossOf = Effect.fnUntraced(function* (id: string) {
  const workspaces = yield* Workspaces
  const apiKeys = yield* ApiKeys
  const { balanceMillis, workspace } = yield* theAccount(id)
  const keys = yield* apiKeys.keys(workspace.id)
  const secrets = yield* workspaces.webhookSecrets(workspace.id)
  const goes = [
    count(keys.length, "key"),
    count(secrets.length, "webhook secret"),
    "its presets, and its jobs with their media and transcripts"
  ].join(", ")
  const stays = `Its ledger stays, with ${toMinutes(balanceMillis)} minutes`
  return { workspace, loss: `With ${quoted(workspace.name)} go ${goes}. ${stays}.` }
})

/** Begins the deletion of a workspace. */
export const remove = Command.make(
  "delete",
  {
    id: workspaceArgument,
    yes: makeSwitch("yes", "Without it, only what would go is told")
  },
  Effect.fn(function* ({ id, yes }) {
    const workspaces = yield* Workspaces
    const { loss, workspace } = yield* lossOf(id)
    if (isDeleted(workspace)) return yield* refuseDeleted(workspace)
    if (!yes) return yield* new Misuse({ sentence: `${loss} Say --yes to delete it for good.` })
    yield* workspaces.remove(workspace.id)
    yield* Console.log(`${workspace.id} is being deleted. ${loss}`)
  }, onExistingStore)
).pipe(Command.withDescription("Delete a workspace with what it has; its ledger stays"))
