/** Drafts of preset versions, and changes to stored presets. */

import { type Page, PresetStore, type Revision } from "@verbatim/core/ports"
import {
  Event,
  moveBetween,
  type Preset,
  type PresetDraft,
  PresetSlug,
  type PresetVersion,
  transition
} from "@verbatim/core/preset"
import { LabelName, type UserId } from "@verbatim/core/workspace"
import { Effect, Option, Result } from "effect"
import { presetChangeId, presetId, upTo, userId, versionId, workspaceId } from "./Ids.ts"
import { later } from "./SampleWorkspace.ts"

export const slug = (text: string): PresetSlug => PresetSlug.make(text)

/** Creates a draft in which all ids have the same number. */
export const makeDraft = (number: number, overrides: Partial<PresetDraft> = {}): PresetDraft => ({
  workspaceId: workspaceId(1),
  slug: slug("support"),
  presetId: presetId(number),
  versionId: versionId(number),
  creatorId: userId(number),
  format: "responses",
  systemPrompt: `You are version ${number}.`,
  config: { model: "gpt-4o", temperature: number / 10 },
  wins: [],
  comment: null,
  stage: false,
  at: later(number),
  request: Option.none(),
  ...overrides
})

/** Finds the preset with the given slug in the first workspace. */
export const findPreset = (text = "support") =>
  PresetStore.use((store) => store.find(workspaceId(1), slug(text)))

/** Finds a preset that must exist; fails if it is missing. */
export const findStored = (text?: string) => Effect.flatMap(findPreset(text), Effect.fromOption)

/** A page size that is larger than any list in the cases. */
export const whole: Page = { offset: 0, limit: 1_000 }

/** Reads all of a preset's versions, oldest first. */
export const versionsOf = (id: Preset["id"]) =>
  PresetStore.use((store) => store.versions(id, whole))

/** Reads all of a preset's designations, in order. */
export const designationsOf = (id: Preset["id"]) =>
  PresetStore.use((store) => store.designations(id, whole))

/** Reads the numbers of the designated versions, in order. */
export const designatedIn = (id: Preset["id"]) =>
  Effect.map(designationsOf(id), (designations) => designations.map(({ to }): number => to))

/** Reads a preset's versions and designations. */
export const readPast = (id: Preset["id"]) =>
  Effect.all({ versions: versionsOf(id), designations: designationsOf(id) })

/** Creates a preset with the given number of versions. Version ids count up from `first`. */
export const makePresetVersions = Effect.fnUntraced(function* (
  versionCount: number,
  { first = 1, text = "support" }: { readonly first?: number; readonly text?: string } = {}
) {
  const store = yield* PresetStore
  const made = yield* Effect.forEach(upTo(versionCount), (number) =>
    store.append(makeDraft(first + number - 1, { slug: slug(text) }))
  )
  const { preset } = yield* findStored(text)
  return { preset, versions: made.map(({ version }) => version) }
})

export const makeTwoVersions = Effect.gen(function* () {
  const store = yield* PresetStore
  const { version: first } = yield* store.append(makeDraft(1))
  const { preset, version: second } = yield* store.append(makeDraft(2))
  return { preset, first, second }
})

/** The event that designates an existing version. */
export const designate = ({ id, version }: PresetVersion, at = later(0)): Event =>
  Event.cases.Designated.make({ at, version, versionId: id })

export const label = (text: string): LabelName => LabelName.make(text)

/** The event that moves a label to an existing version. */
export const moveLabel = (text: string, { id, version }: PresetVersion, at = later(0)): Event =>
  Event.cases.LabelMoved.make({ at, label: label(text), version, versionId: id })

export const removeLabel = (text: string, at = later(0)): Event =>
  Event.cases.LabelRemoved.make({ at, label: label(text) })

/** Reads all of a label's moves, in order. */
export const labelMovesOf = (id: Preset["id"], text: string) =>
  PresetStore.use((store) => store.labelMoves(id, { ...whole, label: label(text) }))

/** The event that erases a version's content. */
export const erase = ({ version }: PresetVersion, at = later(0), by = userId(1)): Event =>
  Event.cases.ContentErased.make({ at, version, by })

/** A counter that gives each change its own id. */
let changeCount = 0

/** The records that a change adds besides the preset: a designation, a label move or an erasure. */
const partsOf = (
  preset: Preset,
  { by, event, isFree = false, next }: Decided & { readonly next: Preset }
): Pick<Revision, "designation" | "erasure" | "freeLabels" | "label"> => {
  const designation = Option.none()
  switch (event._tag) {
    case "Designated":
      return {
        designation: Option.some({
          presetId: preset.id,
          revision: next.revision,
          from: preset.designatedVersion,
          to: event.version,
          by,
          at: event.at
        })
      }
    case "LabelMoved":
    case "LabelRemoved": {
      const moved = moveBetween({ before: preset, next }, { by, label: event.label })
      return { designation, label: moved, freeLabels: isFree ? [event.label] : [] }
    }
    case "ContentErased":
      return { designation, erasure: { version: event.version, by: event.by, at: event.at } }
    default:
      return { designation }
  }
}

/** A preset event with its author. `isFree` requires that the event's label is unprotected. */
interface Decided {
  readonly event: Event
  readonly by: UserId
  readonly isFree?: boolean
}

/** A change to a preset, with the log entries that a service writes for it. */
export const revisionOf = (
  preset: Preset,
  { by = userId(1), ...decided }: Omit<Decided, "by"> & { readonly by?: UserId }
): Revision => {
  const next = Result.getOrThrow(transition(preset, decided.event))
  changeCount += 1
  return {
    id: presetChangeId(changeCount),
    next,
    expectedRevision: preset.revision,
    ...partsOf(preset, { ...decided, by, next })
  }
}

/** Applies an event to a preset, and returns the resulting preset. */
export const revisePreset = Effect.fnUntraced(function* (
  preset: Preset,
  event: Event,
  by?: UserId
) {
  const store = yield* PresetStore
  const revision = revisionOf(preset, by === undefined ? { event } : { event, by })
  yield* store.revise(revision)
  return revision.next
})
