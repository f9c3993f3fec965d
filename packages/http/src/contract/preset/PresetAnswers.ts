/** Schemas of the preset operations' responses, with examples that all show the same preset. */

import {
  type Designation,
  FullVersionView,
  ListedPresetView,
  PresetDiff,
  PresetVersionView,
  PresetView
} from "@verbatim/core/preset"
import { DateTime, Schema, Struct } from "effect"
import { countField, makeAnswer, makePage, orNull, textField } from "../Parameters.ts"
import { makeEntityTag, stagePreference } from "./PresetHeaders.ts"

const user = "user_018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e"
const instant = "2025-01-02T03:04:05.678Z"
const systemPrompt = "You are a support agent. Be kind and brief."

const kept = {
  model: "some/model",
  temperature: 0.2,
  provider: { data_collection: "deny" }
} as const

/** Example requests, one in each format, that create the example preset. */
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

/** The version that any of the example requests creates. */
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

const preset: PresetView = {
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
  designated_version_id: version.id,
  designated_version: version
}

/** The example preset as shown in a list. */
const listed: ListedPresetView = {
  ...Struct.omit(preset, ["designated_version"]),
  designated_version_number: version.version,
  latest_version_number: version.version,
  latest_creator_id: user,
  labels: [{ label: "production", version: version.version }]
}

/** The example preset's second version, which is staged. */
const staged: PresetVersionView = {
  ...version,
  id: "0194246d-2f2e-7c4d-8e5f-6a7b8c9d0e1f",
  version: 2,
  config: { ...kept, temperature: 0.7 },
  comment: "Warmer, for a try."
}

/** The example version with its content. */
const full: FullVersionView = { ...version, format: "responses", variables: [], wins: [] }

/** The example version after its content was erased. */
const erased: FullVersionView = {
  ...full,
  system_prompt: null,
  config: {},
  erased_at: instant,
  erased_by: user
}

/** A label that points to the example version. */
export const label = {
  label: "production",
  version: version.version,
  version_id: version.id,
  moved_at: instant
}

export const move = { from: null, to: 1, moved_by: user, moved_at: instant }

export const protection = { label: label.label, protected_by: user, protected_at: instant }

const diff = {
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

const designation = { from: null, to: 1, designated_by: user, designated_at: instant }

const tag = {
  ETag: {
    description: "The id of the designated version in double quotes, for `If-Match`.",
    required: true,
    schema: { type: "string" },
    example: makeEntityTag(version.id)
  }
}

const notKept = {
  "X-Verbatim-Not-Kept": {
    description:
      "After a creation, the paths in the body that the version does not keep, separated by " +
      "commas. A list of more than 1 kB ends in an encoded ellipsis. Omitted if everything was " +
      "kept.",
    required: false,
    schema: { type: "string" },
    example: "messages, stream, mcp_servers.0.authorization_token"
  }
}

export const PresetAnswer = makeAnswer(
  PresetView.annotate({ identifier: "Preset" }),
  preset
).annotate({
  identifier: "PresetAnswer",
  description: "The preset with its designated version.",
  "x-headers": { ...tag, ...notKept }
})

/** The response when a version was staged, with both the staged and the designated version. */
export const StagedAnswer = Schema.Struct({
  data: Schema.Struct({ ...PresetView.fields, staged_version: PresetVersionView }).annotate({
    identifier: "StagedPreset"
  })
}).annotate({
  identifier: "StagedPresetAnswer",
  description: "The unchanged preset, and the staged version.",
  examples: [{ data: { ...preset, staged_version: staged } }],
  "x-headers": {
    ...tag,
    ...notKept,
    "Preference-Applied": {
      description: "Sent if the version was staged because of the `Prefer` header.",
      required: false,
      schema: { type: "string", const: stagePreference }
    }
  }
})

export const VersionAnswer = makeAnswer(FullVersionView, full).annotate({
  identifier: "PresetVersionAnswer",
  description: "The version."
})

export const ErasedAnswer = makeAnswer(FullVersionView, erased).annotate({
  identifier: "ErasedVersionAnswer",
  description: "The version without its content."
})

export const DiffAnswer = makeAnswer(PresetDiff, diff).annotate({
  identifier: "PresetDiffAnswer",
  description: "The differences by path."
})

export const PresetPage = makePage(
  ListedPresetView.annotate({ identifier: "ListedPreset" }),
  listed
).annotate({ identifier: "PresetPage", description: "A page of presets." })

export const VersionPage = makePage(FullVersionView, full).annotate({
  identifier: "PresetVersionPage",
  description: "A page of versions."
})

/** A change of the designated version. */
const DesignationView = Schema.Struct({
  from: orNull(
    Schema.Int,
    "The previously designated version's number; null for the first designation."
  ),
  to: countField("The designated version's number."),
  designated_by: textField("The user of the key."),
  designated_at: Schema.String.annotate({ format: "date-time" })
}).annotate({ identifier: "Designation" })

export const DesignationPage = makePage(DesignationView, designation).annotate({
  identifier: "DesignationPage",
  description: "A page of designations."
})

export const toDesignationView = ({ at, by, from, to }: Designation) => ({
  from,
  to,
  designated_by: by,
  designated_at: DateTime.formatIso(at)
})
