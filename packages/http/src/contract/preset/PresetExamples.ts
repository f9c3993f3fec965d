/**
 * Examples for the description of the API, all of one preset: the requests that make it, and the
 * answers about it.
 */
import type {
  FullVersionView,
  ListedPresetView,
  PresetVersionView,
  PresetView
} from "@verbatim/core/preset"

const user = "user_018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e"
const instant = "2025-01-02T03:04:05.678Z"
const systemPrompt = "You are a support agent. Be kind and brief."

const kept = {
  model: "some/model",
  temperature: 0.2,
  provider: { data_collection: "deny" }
} as const

/** Requests from which the preset is made, one for each format. */
export const requests = {
  responses: { ...kept, instructions: systemPrompt, input: "Hello" },
  chatCompletions: {
    ...kept,
    messages: [
      { role: "system", content: systemPrompt },
      { role: "user", content: "Hello" }
    ]
  },
  messages: {
    ...kept,
    system: systemPrompt,
    max_tokens: 1024,
    messages: [{ role: "user", content: "Hello" }]
  }
} as const

/** The version that they make. */
export const version: PresetVersionView = {
  id: "0194246d-2f2e-7b3c-8d4e-5f6a7b8c9d0e",
  preset_id: "0194246d-2f2e-7a1b-9c2d-3e4f5a6b7c8d",
  version: 1,
  creator_id: user,
  system_prompt: systemPrompt,
  config: kept,
  created_at: instant,
  updated_at: instant
}

/** The preset in a list. */
export const listed: ListedPresetView = {
  id: version.preset_id,
  slug: "support-bot",
  name: "support-bot",
  description: null,
  status: "active",
  status_updated_at: null,
  created_at: instant,
  updated_at: instant,
  creator_user_id: user,
  workspace_id: "018f4d6e-8f2a-7d4c-8e5f-6a7b8c9d0e1f",
  designated_version_id: version.id
}

/** The preset. */
export const preset: PresetView = { ...listed, designated_version: version }

/** A second version that was staged. */
export const staged: PresetVersionView = {
  ...version,
  id: "0194246d-2f2e-7c4d-8e5f-6a7b8c9d0e1f",
  version: 2,
  config: { ...kept, temperature: 0.7 },
  comment: "Warmer, for a try."
}

/** The version as it is read by itself. */
export const full: FullVersionView = { ...version, format: "responses", variables: [], wins: [] }

/** A version whose content was erased. */
export const erased: FullVersionView = {
  ...full,
  system_prompt: null,
  config: {},
  erased_at: instant,
  erased_by: user
}

/** A label that points to the version. */
export const label = {
  label: "production",
  version: version.version,
  version_id: version.id,
  moved_at: instant
}

/** The first entry in its history. */
export const move = { from: null, to: 1, moved_by: user, moved_at: instant }

/** A protected label. */
export const protection = { label: label.label, protected_by: user, protected_at: instant }

/** What a second version changed. */
export const diff = {
  from: 1,
  to: 2,
  format: null,
  system_prompt: {
    from: "Write minutes.\nBe brief.",
    to: "Write minutes.\nBe kind.",
    lines: [{ from: 2, removed: ["Be brief."], to: 2, added: ["Be kind."] }]
  },
  config: [
    { path: "/temperature", kind: "changed" as const, from: 0.2, to: 0.7 },
    { path: "/tools/find_note/description", kind: "added" as const, to: "Finds a note." }
  ],
  wins: null
}

/** The first entry in the history of designations. */
export const designation = { from: null, to: 1, designated_by: user, designated_at: instant }
