/**
 * Presets in use, as operations: what a reference means, and the request that is meant.
 */
import {
  PresetConfig,
  PresetDiff,
  type PresetPreview,
  type PresetResolution,
  type PresetSelection,
  type ResolvedVersion,
  Variables,
  Wins
} from "@verbatim/core/preset"
import { fromWireFormat, toWireFormat, WireFormat } from "@verbatim/core/request"
import { instantForm, readInstant } from "@verbatim/core/schema"
import { reservedNames } from "@verbatim/core/workspace"
import { labelPattern, variablesOf } from "@verbatim/resolution"
import { DateTime, Option, Schema, SchemaTransformation } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PresetAuthentication, Reads, Resource } from "../Authentication.ts"
import { PresetErrors } from "../Errors.ts"
import { describe, pickErrors } from "../Operation.ts"
import { makeChoice, makeNumber, makeText, ParameterRules, uuid } from "../Parameters.ts"
import * as examples from "./PresetAnswers.ts"
import { requests } from "./PresetAnswers.ts"
import { makeEntityTag, readConditions } from "./PresetHeaders.ts"
import { countMax, presetParams, slugShape } from "./PresetParameters.ts"

const Format = makeChoice(WireFormat, {
  description: "The format of the request; told by its fields when it is left out."
})

const At = makeText({
  pattern: instantForm.source,
  description: "Asks for the version that was designated, or labelled, at that instant."
})
  .check(
    Schema.makeFilter((text: string) => Option.isSome(readInstant(text)), {
      message: "must be an instant such as 2030-01-02T03:04:05Z"
    })
  )
  .pipe(
    Schema.decodeTo(
      Schema.DateTimeUtc,
      SchemaTransformation.transform({
        decode: (text) => Option.getOrElse(readInstant(text), () => DateTime.makeUnsafe(0)),
        encode: DateTime.formatIso
      })
    )
  )

const words = reservedNames.join(" or ")

const chosen = {
  version: Schema.optionalKey(
    makeNumber({ description: "The number of a version.", minimum: 1, maximum: countMax })
  ),
  label: Schema.optionalKey(
    makeText({
      pattern: labelPattern.source,
      description: "The name of a label, or `designated` or `latest`."
      // In a reference a number would be a version.
    }).check(Schema.isPattern(labelPattern, { message: `must be a label, ${words}` }))
  ),
  at: Schema.optionalKey(At)
}

/** Which version is meant: the designated one, unless another one is named. */
const pinQuery = chosen

/** The same, with the format of the request. */
const resolveQuery = { ...chosen, format: Schema.optionalKey(Format) }

/** For a request that names its preset itself. */
const namedQuery = { at: resolveQuery.at, format: resolveQuery.format }

/** For a request that is only tried. */
const previewQuery = {
  format: resolveQuery.format,
  slug: Schema.optionalKey(
    makeText({
      ...slugShape,
      description: "The preset that it would become part of."
    })
  )
}

/** Which version a query of one of these operations names, when, and in which format. */
export interface VersionQuery {
  readonly version?: number
  readonly label?: string
  readonly at?: DateTime.Utc
  readonly format?: typeof WireFormat.Type
}

/** What a path and a query mean together. The service judges the reference that they make. */
export const toReference = (
  slug: string,
  { label, version, ...query }: VersionQuery
): Omit<PresetSelection, "principal"> => ({
  preset:
    version === undefined && label === undefined
      ? slug
      : [slug, version, label].filter((part) => part !== undefined).join("@"),
  ...toTime(query)
})

/** When, and in which format. */
export const toTime = ({ at, format }: VersionQuery) => ({
  at,
  format: format === undefined ? undefined : fromWireFormat(format)
})

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
const ResolutionAnswer = Schema.Struct({ data: ResolutionView }).annotate({
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
const PinView = Schema.Struct({
  ...pinnedFields,
  format: WireFormat.annotate({ description: "The format of the request it was made from." }),
  variables: Variables,
  system_prompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  wins: Wins
}).annotate({ identifier: "Pin" })

/** The answer with one version. */
const PinAnswer = Schema.Struct({ data: PinView }).annotate({
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
const PreviewView = Schema.Struct({
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

/** The errors of operations that read a preset which must be active, besides 401. */
const errors = pickErrors(PresetErrors, 400, 404, 409, 500)

/** A request in any format. */
const AnyRequest = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "AnyRequest",
  description: "Its `variables`, texts by name, are the values of `{{name}}` in the system prompt.",
  examples: [requests.responses]
})

const NamingRequest = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "NamingRequest",
  description:
    "Names its preset in `preset`, in `model` after `@preset/`, or as the `id` and `version` of " +
    "`prompt`. Values of variables stand in `variables`, or in those of `prompt`.",
  examples: [{ model: "@preset/support-bot@production", input: "Hello" }]
})

const whichVersion =
  "The designated version is meant, unless the query names another one; the name of the preset " +
  "may also end in `@3`, a version, or in `@production`, a label."

const pin = HttpApiEndpoint.get("pin", "/v1/presets/:slug/pin", {
  params: presetParams,
  query: pinQuery,
  headers: readConditions,
  success: [
    PinAnswer,
    HttpApiSchema.Empty(304).annotate({ description: "The version is the one that was named." })
  ],
  error: errors
}).annotateMerge(
  describe(
    "Read the version that is meant",
    whichVersion,
    "For programs that lay requests over it themselves: the content of a version never changes."
  )
)

const resolve = HttpApiEndpoint.post("resolve", "/v1/presets/:slug/resolve", {
  params: presetParams,
  query: resolveQuery,
  payload: AnyRequest,
  success: ResolutionAnswer,
  error: errors
}).annotateMerge(
  describe(
    "Lay a request over a preset",
    whichVersion,
    "The request wins, field by field; tools are united. The answer is in the format of the",
    "request, which may have 32 MiB, files included, and is not sent anywhere. Each `{{name}}` in",
    "the system prompt of the preset takes its value from `variables` of the request, which are no",
    "part of the answer."
  )
)

const resolveNamed = HttpApiEndpoint.post("resolveNamed", "/v1/resolve", {
  query: namedQuery,
  payload: NamingRequest,
  success: ResolutionAnswer,
  error: errors
}).annotateMerge(
  describe(
    "Lay a request over the preset that it names",
    "In its `preset`, as `notes`, `notes@3` or `notes@production`, or in its `model`, as",
    "`@preset/notes` or `some/model@preset/notes`; or in the form of stored prompts, as",
    '`"prompt": { "id": "notes", "version": "3", "variables": { "name": "Ann" } }`, unless the id',
    "begins with `pmpt_`. The reference is no part of the answer."
  )
)

const preview = HttpApiEndpoint.post("preview", "/v1/presets/preview", {
  query: previewQuery,
  payload: AnyRequest,
  success: PreviewAnswer,
  error: pickErrors(PresetErrors, 400, 409, 500)
}).annotateMerge(
  describe(
    "Tell what a request would become",
    "Which of its fields a preset would keep, and what would change of the preset that is named.",
    "With `variables`, also the system prompt that they make. Nothing is stored."
  )
)

/** Presets in use. Nothing of it writes. */
export const ResolutionApi = HttpApiGroup.make("resolutions")
  .add(pin, preview, resolve, resolveNamed)
  .middleware(ParameterRules)
  .middleware(PresetAuthentication)
  .annotate(Resource, "presets")
  .annotate(Reads, true)
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({ title: "Resolutions", description: "Presets laid under requests." })
  )

/** Shows which version was meant. */
export const toPinned = ({
  label,
  slug,
  version,
  versionId
}: PresetResolution["preset"]): typeof ResolutionView.Type.preset => ({
  slug,
  version,
  version_id: versionId,
  ...(label === undefined ? {} : { label })
})

/** Shows a version that was meant. */
export const toPinView = ({ label, slug, version }: ResolvedVersion): typeof PinView.Type => ({
  ...toPinned({
    slug,
    version: version.version,
    versionId: version.id,
    ...(label === undefined ? {} : { label })
  }),
  format: toWireFormat(version.format),
  variables: variablesOf(version.systemPrompt),
  system_prompt: version.systemPrompt,
  config: version.config,
  wins: version.wins
})

/** Shows what a request would become. */
export const toPreviewView = ({
  changes,
  config,
  fields,
  filledPrompt,
  systemPrompt,
  variables,
  version
}: PresetPreview): typeof PreviewView.Type => ({
  system_prompt: systemPrompt,
  variables,
  ...(filledPrompt === undefined ? {} : { filled_prompt: filledPrompt }),
  config,
  fields: fields.map(({ fate, name, reason }) => ({
    name,
    fate: fate === "systemPrompt" ? "system_prompt" : fate,
    reason
  })),
  version,
  changes
})
