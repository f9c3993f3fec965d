/**
 * What the operations on presets in use answer, as schemas.
 */
import { PresetConfig, PresetDiff, Variables, Wins } from "@verbatim/core/preset"
import { WireFormat } from "@verbatim/core/request"
import { Schema } from "effect"
import { uuid } from "../../AnswerFields.ts"
import * as examples from "../PresetExamples.ts"
import { makeEntityTag } from "../PresetHeaders.ts"

/** The version that was meant. */
const pinnedFields = {
  slug: Schema.String,
  version: Schema.Int,
  version_id: uuid,
  label: Schema.optionalKey(Schema.String).annotate({
    description: "The label by which the version was named."
  })
}

const Side = Schema.Literals(["preset", "request"])

/** A request with everything that its preset adds. */
export const ResolutionView = Schema.Struct({
  request: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "The request that is meant, in the format of the one sent."
  }),
  format: WireFormat,
  preset: Schema.Struct(pinnedFields),
  provenance: Schema.Struct({
    fields: Schema.Record(Schema.String, Side).annotate({
      description: "For every field of the request, whose it is."
    }),
    tools: Schema.Array(Side).annotate({ description: "For every tool, in their order." }),
    system_prompt: Schema.NullOr(Side).annotate({ description: "Null when there is none." })
  }),
  left_out: Schema.Array(Schema.Struct({ field: Schema.String, reason: Schema.String })).annotate({
    description:
      "What the preset says and the request does not, or says otherwise: its format has no words " +
      "for it, or its endpoint would refuse it with the rest. Also values without a variable, " +
      "and fields of the request where the preset wins."
  })
}).annotate({ identifier: "Resolution" })

/** The answer to a resolution. */
export const ResolutionAnswer = Schema.Struct({ data: ResolutionView }).annotate({
  identifier: "ResolutionAnswer",
  description: "The request that is meant.",
  examples: [
    {
      data: {
        request: { model: "some/model", max_output_tokens: 500, input: "Hello" },
        format: "responses" as const,
        preset: { slug: "support-bot", version: 1, version_id: examples.version.id },
        provenance: {
          fields: { model: "preset", max_output_tokens: "preset", input: "request" },
          tools: [],
          system_prompt: null
        } as const,
        left_out: [{ field: "seed", reason: "the format of the request has no words for it" }]
      }
    }
  ]
})

/** One version of a preset, with all that a program needs to lay requests over it. */
export const PinView = Schema.Struct({
  ...pinnedFields,
  format: WireFormat.annotate({ description: "The format of the request it was made from." }),
  variables: Variables,
  system_prompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  wins: Wins
}).annotate({ identifier: "Pin" })

/** The answer with one version. */
export const PinAnswer = Schema.Struct({ data: PinView }).annotate({
  identifier: "PinAnswer",
  description: "The version that is meant.",
  examples: [
    {
      data: {
        slug: "support-bot",
        version: 1,
        version_id: examples.version.id,
        label: "production",
        format: "responses" as const,
        variables: [],
        system_prompt: examples.version.system_prompt,
        config: examples.version.config,
        wins: []
      }
    }
  ],
  "x-headers": {
    ETag: {
      description: "The id of the version in double quotes, for `If-None-Match`.",
      required: true,
      schema: { type: "string" },
      example: makeEntityTag(examples.version.id)
    }
  }
})

/** What a request would become. */
export const PreviewView = Schema.Struct({
  system_prompt: Schema.NullOr(Schema.String),
  variables: Variables,
  filled_prompt: Schema.optionalKey(
    Schema.String.annotate({
      description: "The system prompt with the `variables` of the body; absent without them."
    })
  ),
  config: PresetConfig,
  fields: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      fate: Schema.Literals(["kept", "system_prompt", "ignored"]),
      reason: Schema.String
    })
  ).annotate({ description: "Every field that was sent, in the order sent." }),
  version: Schema.NullOr(Schema.Int).annotate({
    description: "The number that the version would have; null when no preset is named."
  }),
  changes: Schema.NullOr(PresetDiff).annotate({
    description: "From the designated version; null when there is no such preset."
  })
}).annotate({ identifier: "PresetPreview" })

/** The answer to a request that is only tried. */
export const PreviewAnswer = Schema.Struct({ data: PreviewView }).annotate({
  identifier: "PresetPreviewAnswer",
  description: "What the request would become. Nothing is stored.",
  examples: [
    {
      data: {
        system_prompt: null,
        variables: [],
        config: { model: "some/model" },
        fields: [
          { name: "model", fate: "kept", reason: "chooses what answers" },
          { name: "stream", fate: "ignored", reason: "says how one request travels" }
        ] as const,
        version: 1,
        changes: null
      }
    }
  ]
})
