/** Changes to a preset other than new versions, and the events that make these changes. */
import { type DateTime, Result, Schema } from "effect"
import type { IllegalTransition } from "../machine/Machine.ts"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import type { UserId } from "../workspace/Workspace.ts"
import { Event, type State, transition } from "./Preset.ts"
import { listLabels } from "./PresetLabels.ts"
import { PresetInactive, PresetNotArchived, VersionErased, VersionInUse } from "./PresetRefusal.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** Maximum length of a name, in code points. */
export const nameMax = 255

/** Maximum length of a description, in code points: about a page. */
export const descriptionMax = 4096

/** The values of `status` on the wire. */
export const PresetStatus = Schema.Literals(["active", "disabled", "archived"])
export type PresetStatus = typeof PresetStatus.Type

/** The `status` on the wire for each state of a preset. */
export const statuses: Readonly<Record<State["_tag"], PresetStatus>> = {
  Active: "active",
  Disabled: "disabled",
  Archived: "archived"
}

/** The state of a preset for each `status` on the wire. */
export const stateOf: Readonly<Record<PresetStatus, State["_tag"]>> = {
  active: "Active",
  disabled: "Disabled",
  archived: "Archived"
}

/** A requested change to a preset. Missing fields stay unchanged. */
export const PresetChange = Schema.Struct({
  status: Schema.optionalKey(PresetStatus),
  name: Schema.optionalKey(Schema.String.check(notEmpty, charactersAtMost(nameMax))),
  description: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(charactersAtMost(descriptionMax)))
  )
})
export type PresetChange = typeof PresetChange.Type

/** For each preset status, creates the event that leads to it. */
const moves: Readonly<Record<PresetStatus, (at: DateTime.Utc) => Event>> = {
  active: (at) => Event.cases.Resumed.make({ at }),
  disabled: (at) => Event.cases.Suspended.make({ at }),
  archived: (at) => Event.cases.Shelved.make({ at })
}

/**
 * Returns the events for a change to a preset, in order. The preset is described after it is
 * restored and before it is archived, because an archived preset accepts no description.
 */
const eventsOf = (preset: State, change: PresetChange, at: DateTime.Utc): ReadonlyArray<Event> => {
  const { description = preset.description, name = preset.name, status } = change
  const isMoved = status !== undefined && status !== statuses[preset._tag]
  const isDescribed = name !== preset.name || description !== preset.description
  const move = isMoved ? [moves[status](at)] : []
  const describe = isDescribed ? [Event.cases.Described.make({ at, name, description })] : []
  return status === "archived" ? [...describe, ...move] : [...move, ...describe]
}

/**
 * Returns the preset with a version designated; the same preset if that version is already
 * designated. A version without content is refused.
 */
export const applyDesignation = (
  preset: State,
  { at, version }: { readonly version: PresetVersion; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition | VersionErased> => {
  if (version.erased !== null) return Result.fail(refuseErased(preset, version))
  const event = Event.cases.Designated.make({ at, version: version.version, versionId: version.id })
  const isDesignated = version.id === preset.designatedVersionId
  return Result.map(transition(preset, event), (next) => (isDesignated ? preset : next))
}

/** Returns the changed preset; the same preset if nothing changes. */
export const applyChange = (
  preset: State,
  { at, change }: { readonly change: PresetChange; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition> =>
  eventsOf(preset, change, at).reduce<Result.Result<State, IllegalTransition>>(
    (result, event) => Result.flatMap(result, (next) => transition(next, event)),
    Result.succeed(preset)
  )

/** Refuses a version whose content was erased. */
export const refuseErased = (
  { slug }: Pick<State, "slug">,
  { version }: Pick<PresetVersion, "version">
) => new VersionErased({ slug, version })

/** Refuses an operation that only an active preset allows. */
export const refuseInactive = (preset: State) =>
  new PresetInactive({ slug: preset.slug, status: statuses[preset._tag] })

export const PresetChangeId = Schema.String.check(Schema.isUUID()).pipe(
  Schema.brand("PresetChangeId")
)
export type PresetChangeId = typeof PresetChangeId.Type

// The rules for erasing the content of a version, and for removing a preset.

/**
 * Returns the preset after the content of a version was erased; the same preset if it was erased
 * before.
 */
export const applyErasure = (
  preset: State,
  {
    at,
    by,
    version: { erased, id, version }
  }: { readonly version: PresetVersion; readonly by: UserId; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition | VersionInUse> => {
  if (erased !== null) return Result.succeed(preset)
  const { designatedVersionId, labels, slug } = preset
  if (designatedVersionId === id) {
    return Result.fail(new VersionInUse({ slug, version, label: null }))
  }
  const pointer = listLabels(labels).find(({ versionId }) => versionId === id)
  return pointer === undefined
    ? transition(preset, Event.cases.ContentErased.make({ at, version, by }))
    : Result.fail(new VersionInUse({ slug, version, label: pointer.name }))
}

/** Returns why a preset cannot be removed; undefined if it can. */
export const checkRemoval = (preset: State): PresetNotArchived | undefined =>
  preset._tag === "Archived"
    ? undefined
    : new PresetNotArchived({ slug: preset.slug, status: statuses[preset._tag] })
