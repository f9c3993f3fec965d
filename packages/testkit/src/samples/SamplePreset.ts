/**
 * Versions of presets to be, and changes of presets that are.
 */

import { type Page, PresetStore, type Revision } from "@verbatim/core/ports"
import {
  Event,
  type Preset,
  type PresetDraft,
  PresetSlug,
  type PresetVersion,
  transition
} from "@verbatim/core/preset"
import type { UserId } from "@verbatim/core/workspace"
import { Effect, Option, Result } from "effect"
import { presetChangeId, presetId, userId, versionId, workspaceId } from "./Ids.ts"
import { later } from "./SampleWorkspace.ts"

/** A slug. */
export const slug = (text: string): PresetSlug => PresetSlug.make(text)

/** The draft of a version, with all its ids given by one number. */
export const makeDraft = (number: number, wishes: Partial<PresetDraft> = {}): PresetDraft => ({
  workspaceId: workspaceId(1),
  slug: slug("support"),
  presetId: presetId(number),
  versionId: versionId(number),
  creatorId: userId(number),
  format: "responses",
  systemPrompt: `You are version ${number}.`,
  config: { model: "gpt-4o", temperature: number / 10 },
  at: later(number),
  request: Option.none(),
  ...wishes
})

/** The preset with that slug in the first workspace, as the store has it. */
export const foundPreset = (text = "support") =>
  Effect.flatMap(PresetStore, (store) => store.find(workspaceId(1), slug(text)))

/** The same of a preset that is there. */
export const findStored = (text?: string) => Effect.flatMap(foundPreset(text), Effect.fromOption)

/** More than any list that a case makes. */
export const whole: Page = { offset: 0, limit: 1_000 }

/** All versions of a preset, oldest first. */
export const versionsOf = (id: Preset["id"]) =>
  Effect.flatMap(PresetStore, (store) => store.versions(id, whole))

/** All designations of a preset, in the order in which they happened. */
export const designationsOf = (id: Preset["id"]) =>
  Effect.flatMap(PresetStore, (store) => store.designations(id, whole))

/** What became of a preset: its versions and its designations. */
export const pastOf = (id: Preset["id"]) =>
  Effect.all({ versions: versionsOf(id), designations: designationsOf(id) })

/** The event that designates an existing version. */
export const designate = ({ id, version }: PresetVersion, at = later(0)): Event =>
  Event.cases.Designated.make({ at, version, versionId: id })

/** Each change has an id of its own. */
let changeCount = 0

/** A change of a preset as a service decides it; a designation is kept with its event. */
export const revisionOf = (
  preset: Preset,
  { by = userId(1), event }: { readonly event: Event; readonly by?: UserId }
): Revision => {
  const next = Result.getOrThrow(transition(preset, event))
  const designation = (to: number) => ({
    presetId: preset.id,
    revision: next.revision,
    from: preset.designatedVersion,
    to,
    by,
    at: event.at
  })
  changeCount += 1
  return {
    id: presetChangeId(changeCount),
    next,
    expectedRevision: preset.revision,
    designation:
      event._tag === "Designated" ? Option.some(designation(event.version)) : Option.none()
  }
}

/** Changes a preset by an event, and answers with the preset after it. */
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
