/**
 * What an operator may say about a workspace, and the events that it takes.
 */
import { type DateTime, Equal, Result, Schema, Struct } from "effect"
import type { IllegalTransition } from "../machine/Machine.ts"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import { Keywords, keywordsOf } from "./Keywords.ts"
import { type Limits, limitFields, limitsOf } from "./Limits.ts"
import { type RetentionRule, retentionFields, retentionRuleOf } from "./RetentionRule.ts"
import { Event, isDeletionOver, type State, transition } from "./Workspace.ts"

/** Longest name, and longest name of a host's own, in code points. */
export const nameMax = 255

/** What people call a workspace. */
export const WorkspaceName = Schema.String.check(notEmpty, charactersAtMost(nameMax))

/** The host's own name for a workspace: for example the id of a customer, or of a session. */
export const ExternalId = Schema.String.check(notEmpty, charactersAtMost(nameMax))

/** The values of `status` on the wire. */
export const WorkspaceStatus = Schema.Literals(["active", "disabled", "deleting", "deleted"])
export type WorkspaceStatus = typeof WorkspaceStatus.Type

/** The status of each state. */
export const statusOf: Readonly<Record<State["_tag"], WorkspaceStatus>> = {
  Active: "active",
  Disabled: "disabled",
  Deleting: "deleting",
  Deleted: "deleted"
}

/** The statuses that an operator gives. Deleting is an operation of its own. */
export const GivenStatus = Schema.Literals(["active", "disabled"])

const isGiven = Schema.is(GivenStatus)

const settings = Schema.Struct({ ...limitFields, ...retentionFields, keywords: Keywords })

/** A change. What is absent stays as it is; a limit or a rule that is null goes. */
export const WorkspaceChange = Schema.Struct({
  name: Schema.optionalKey(WorkspaceName),
  status: Schema.optionalKey(GivenStatus),
  ...settings.mapFields(Struct.map(Schema.optionalKey)).fields
})
export type WorkspaceChange = typeof WorkspaceChange.Type

/** The event that leads to a status. */
const moves = {
  active: (at: DateTime.Utc) => Event.cases.Resumed.make({ at }),
  disabled: (at: DateTime.Utc) => Event.cases.Suspended.make({ at })
} as const

type Settings = Limits & RetentionRule & Pick<State, "keywords">

/** What of a workspace one event sets, all of it. */
const settingsOf = (workspace: Settings): Settings => ({
  ...limitsOf(workspace),
  ...retentionRuleOf(workspace),
  ...keywordsOf(workspace)
})

/** The events that a change takes: none where everything is so already. */
const toEvents = (
  workspace: State,
  { at, change }: { readonly change: WorkspaceChange; readonly at: DateTime.Utc }
): ReadonlyArray<Event> => {
  const { name = workspace.name, status = statusOf[workspace._tag], ...given } = change
  const before = settingsOf(workspace)
  const settings = settingsOf({ ...before, ...given })
  const events: Array<Event> = []
  if (status !== statusOf[workspace._tag] && isGiven(status)) events.push(moves[status](at))
  if (name !== workspace.name) events.push(Event.cases.Renamed.make({ name }))
  if (!Equal.equals(settings, before)) events.push(Event.cases.Adjusted.make(settings))
  return events
}

/**
 * The workspace after a change, which is one revision however many events it takes; the same one
 * when nothing changes.
 */
export const applyWorkspaceChange = (
  workspace: State,
  given: { readonly change: WorkspaceChange; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition> => {
  const events = toEvents(workspace, given)
  const changed = events.reduce<Result.Result<State, IllegalTransition>>(
    (before, event) => Result.flatMap(before, (state) => transition(state, event)),
    Result.succeed(workspace)
  )
  const revision = workspace.revision + 1
  return events.length > 1 ? Result.map(changed, (state) => ({ ...state, revision })) : changed
}

/** The workspace once its deletion has begun; the same one where it has. */
export const beginDeletion = (workspace: State, at: DateTime.Utc): State =>
  Result.getOrElse(transition(workspace, Event.cases.DeletionBegun.make({ at })), () => workspace)

/** The workspace when it is found empty; the same one while something may still come. */
export const endDeletion = (workspace: State, at: DateTime.Utc): State =>
  isDeletionOver(workspace, at)
    ? Result.getOrElse(transition(workspace, Event.cases.Emptied.make({ at })), () => workspace)
    : workspace
