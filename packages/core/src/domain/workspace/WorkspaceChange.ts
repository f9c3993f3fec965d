/** An operator's changes to a workspace, and the events that make these changes. */
import { type DateTime, Equal, Result, Schema, Struct } from "effect"
import type { IllegalTransition } from "../machine/Machine.ts"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import { Keywords, keywordsOf } from "./Keywords.ts"
import { type Limits, limitFields, limitsOf } from "./Limits.ts"
import { type RetentionRule, retentionFields, retentionRuleOf } from "./RetentionRule.ts"
import { Event, isDeletionOver, type State, transition } from "./Workspace.ts"

/** Maximum length, in code points, of a workspace's name, and of the host's own name for it. */
export const nameMax = 255

/** The display name of a workspace. */
export const WorkspaceName = Schema.String.check(notEmpty, charactersAtMost(nameMax))

/** The host's own name for a workspace, for example the id of a customer or a session. */
export const ExternalId = Schema.String.check(notEmpty, charactersAtMost(nameMax))

/** The values of `status` on the wire. */
export const WorkspaceStatus = Schema.Literals(["active", "disabled", "deleting", "deleted"])
export type WorkspaceStatus = typeof WorkspaceStatus.Type

/** The `status` on the wire for each state of a workspace. */
export const statusOf: Readonly<Record<State["_tag"], WorkspaceStatus>> = {
  Active: "active",
  Disabled: "disabled",
  Deleting: "deleting",
  Deleted: "deleted"
}

/** The statuses that an operator can set. A deletion is a separate operation. */
export const SettableStatus = Schema.Literals(["active", "disabled"])

const isGiven = Schema.is(SettableStatus)

const settings = Schema.Struct({ ...limitFields, ...retentionFields, keywords: Keywords })

/**
 * A requested change to a workspace. Missing fields stay unchanged; null removes a limit or a rule.
 */
export const WorkspaceChange = Schema.Struct({
  name: Schema.optionalKey(WorkspaceName),
  status: Schema.optionalKey(SettableStatus),
  ...settings.mapFields(Struct.map(Schema.optionalKey)).fields
})
export type WorkspaceChange = typeof WorkspaceChange.Type

/** For each workspace status, creates the event that leads to it. */
const moves = {
  active: (at: DateTime.Utc) => Event.cases.Resumed.make({ at }),
  disabled: (at: DateTime.Utc) => Event.cases.Suspended.make({ at })
} as const

type Settings = Limits & RetentionRule & Pick<State, "keywords">

/** Returns the settings that are replaced together, by one event. */
const settingsOf = (workspace: Settings): Settings => ({
  ...limitsOf(workspace),
  ...retentionRuleOf(workspace),
  ...keywordsOf(workspace)
})

/** Returns the events for a change to a workspace; none if nothing changes. */
const toEvents = (
  workspace: State,
  { at, change }: { readonly change: WorkspaceChange; readonly at: DateTime.Utc }
): ReadonlyArray<Event> => {
  const { name = workspace.name, status = statusOf[workspace._tag], ...changedSettings } = change
  const before = settingsOf(workspace)
  const settings = settingsOf({ ...before, ...changedSettings })
  const events: Array<Event> = []
  if (status !== statusOf[workspace._tag] && isGiven(status)) events.push(moves[status](at))
  if (name !== workspace.name) events.push(Event.cases.Renamed.make({ name }))
  if (!Equal.equals(settings, before)) events.push(Event.cases.Adjusted.make(settings))
  return events
}

/**
 * Returns the changed workspace; the same workspace if nothing changes. A change is one revision,
 * however many events it has.
 */
export const applyWorkspaceChange = (
  workspace: State,
  request: { readonly change: WorkspaceChange; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition> => {
  const events = toEvents(workspace, request)
  const changed = events.reduce<Result.Result<State, IllegalTransition>>(
    (before, event) => Result.flatMap(before, (state) => transition(state, event)),
    Result.succeed(workspace)
  )
  const revision = workspace.revision + 1
  return events.length > 1 ? Result.map(changed, (state) => ({ ...state, revision })) : changed
}

/** Returns the workspace with its deletion begun; the same workspace if it had begun before. */
export const beginDeletion = (workspace: State, at: DateTime.Utc): State =>
  Result.getOrElse(transition(workspace, Event.cases.DeletionBegun.make({ at })), () => workspace)

/**
 * Returns the workspace as deleted, after its data was removed; the same workspace while data may
 * still arrive.
 */
export const endDeletion = (workspace: State, at: DateTime.Utc): State =>
  isDeletionOver(workspace, at)
    ? Result.getOrElse(transition(workspace, Event.cases.Emptied.make({ at })), () => workspace)
    : workspace
