/**
 * What the preset operations answer, as schemas.
 */
import {
  type Designation,
  FullVersionView,
  ListedPresetView,
  PresetDiff,
  PresetVersionView,
  PresetView
} from "@verbatim/core/preset"
import { DateTime, Schema } from "effect"
import * as examples from "./PresetExamples.ts"
import { makeEntityTag, stagePreference } from "./PresetHeaders.ts"

const tag = {
  ETag: {
    description: "The id of the designated version in double quotes, for `If-Match`.",
    required: true,
    schema: { type: "string" },
    example: makeEntityTag(examples.version.id)
  }
}

const notKept = {
  "X-Verbatim-Not-Kept": {
    description:
      "Of a creation: the paths of the body that the version does not have, separated by commas; " +
      "1 kB at most, then an ellipsis, encoded as the rest. Left out where everything was kept.",
    required: false,
    schema: { type: "string" },
    example: "messages, stream, mcp_servers.0.authorization_token"
  }
}

/** One preset with its designated version. */
export const PresetAnswer = Schema.Struct({
  data: PresetView.annotate({ identifier: "Preset" })
}).annotate({
  identifier: "PresetAnswer",
  description: "The preset with its designated version.",
  examples: [{ data: examples.preset }],
  "x-headers": { ...tag, ...notKept }
})

/** One preset, with a version that was only stored beside the designated one. */
export const StagedAnswer = Schema.Struct({
  data: Schema.Struct({ ...PresetView.fields, staged_version: PresetVersionView }).annotate({
    identifier: "StagedPreset"
  })
}).annotate({
  identifier: "StagedPresetAnswer",
  description: "The preset as it is, and the version that was staged.",
  examples: [{ data: { ...examples.preset, staged_version: examples.staged } }],
  "x-headers": {
    ...tag,
    ...notKept,
    "Preference-Applied": {
      description: "When the version was staged because the header `Prefer` asked for it.",
      required: false,
      schema: { type: "string", const: stagePreference }
    }
  }
})

/** One version. */
export const VersionAnswer = Schema.Struct({ data: FullVersionView }).annotate({
  identifier: "PresetVersionAnswer",
  description: "The version.",
  examples: [{ data: examples.full }]
})

/** One version without its content. */
export const ErasedAnswer = Schema.Struct({ data: FullVersionView }).annotate({
  identifier: "ErasedVersionAnswer",
  description: "The version, without its content.",
  examples: [{ data: examples.erased }]
})

/** The differences between two versions. */
export const DiffAnswer = Schema.Struct({ data: PresetDiff }).annotate({
  identifier: "PresetDiffAnswer",
  description: "The differences, by path.",
  examples: [{ data: examples.diff }]
})

const total = Schema.Int.annotate({ description: "How many there are on all pages together." })

/** A page of presets. */
export const PresetPage = Schema.Struct({
  data: Schema.Array(ListedPresetView.annotate({ identifier: "ListedPreset" })),
  total_count: total
}).annotate({
  identifier: "PresetPage",
  description: "The presets of the page.",
  examples: [{ data: [examples.listed], total_count: 1 }]
})

/** A page of versions. */
export const VersionPage = Schema.Struct({
  data: Schema.Array(FullVersionView),
  total_count: total
}).annotate({
  identifier: "PresetVersionPage",
  description: "The versions of the page.",
  examples: [{ data: [examples.full], total_count: 1 }]
})

/** One entry in the history of designations. */
const DesignationView = Schema.Struct({
  from: Schema.NullOr(Schema.Int).annotate({
    description: "The number of the version designated before; null for the first one."
  }),
  to: Schema.Int.annotate({ description: "The number of the version designated." }),
  designated_by: Schema.String.annotate({ description: "The user of the key." }),
  designated_at: Schema.String.annotate({ format: "date-time" })
}).annotate({ identifier: "Designation" })

/** A page of the history of designations. */
export const DesignationPage = Schema.Struct({
  data: Schema.Array(DesignationView),
  total_count: total
}).annotate({
  identifier: "DesignationPage",
  description: "The designations of the page.",
  examples: [{ data: [examples.designation], total_count: 1 }]
})

/** Shows a designation. */
export const toDesignationView = ({ at, by, from, to }: Designation) => ({
  from,
  to,
  designated_by: by,
  designated_at: DateTime.formatIso(at)
})
