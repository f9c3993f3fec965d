/**
 * Versions of presets to be.
 */
import { type PresetDraft, PresetStore } from "@verbatim/core/ports/PresetStore"
import { PresetSlug } from "@verbatim/core/preset/PresetSlug"
import { Effect } from "effect"
import { presetId, userId, versionId, workspaceId } from "./Ids.ts"
import { later } from "./SampleWorkspace.ts"

/** A slug. */
export const slug = (text: string): PresetSlug => PresetSlug.make(text)

/** The draft of a version, all its identities told by one number. */
export const draft = (number: number, wishes: Partial<PresetDraft> = {}): PresetDraft => ({
  workspaceId: workspaceId(1),
  slug: slug("support"),
  presetId: presetId(number),
  versionId: versionId(number),
  creatorId: userId(number),
  systemPrompt: `You are version ${number}.`,
  config: { model: "gpt-4o", temperature: number / 10 },
  at: later(number),
  ...wishes
})

/** The preset with that slug in the first workspace, as the store has it. */
export const foundPreset = (text = "support") =>
  Effect.flatMap(PresetStore, (store) => store.find(workspaceId(1), slug(text)))
