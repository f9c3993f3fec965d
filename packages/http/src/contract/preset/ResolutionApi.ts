/**
 * Defines the resolution operations: the version that a reference resolves to, and the resolved
 * request.
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
import { instantForm, optional, readInstant } from "@verbatim/core/schema"
import { reservedNames } from "@verbatim/core/workspace"
import { labelPattern, variablesOf } from "@verbatim/resolution"
import { DateTime, Option, Schema, SchemaTransformation, Struct } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { PresetAuthentication } from "../Authentication.ts"
import { PresetErrors, pickErrors } from "../Errors.ts"
import { describe, makeGroup } from "../Operation.ts"
import {
  makeAnswer,
  makeChoice,
  makeNumber,
  makeText,
  orNull,
  ParameterRules,
  uuid
} from "../Parameters.ts"
import * as examples from "./PresetAnswers.ts"
import { requests } from "./PresetAnswers.ts"
import { makeEntityTag, readConditions } from "./PresetHeaders.ts"
import { countMax, presetParams, slugShape } from "./PresetParameters.ts"

const Format = makeChoice(WireFormat, {
  description: "The format of the request; detected from its fields if omitted."
})

const At = makeText({
  pattern: instantForm.source,
  description:
    "Selects the version that was designated, or that the label pointed to, at that time."
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

/** Query parameters that select a version and a request format. */
const resolveQuery = Struct.map(
  {
    version: makeNumber({ description: "The number of a version.", minimum: 1, maximum: countMax }),
    label: makeText({
      pattern: labelPattern.source,
      description: "The name of a label, or `designated` or `latest`."
      // A label that consists of digits would be read as a version number.
    }).check(Schema.isPattern(labelPattern, { message: `must be a label, ${words}` })),
    at: At,
    format: Format
  },
  Schema.optionalKey
)

/** Query parameters that select a version. The default is the designated version. */
const { format, ...versionQuery } = resolveQuery

/** Query parameters for a request that names its own preset. */
const namedQuery = { at: resolveQuery.at, format }

/** Query parameters for a preview. */
const previewQuery = {
  format,
  slug: Schema.optionalKey(makeText({ ...slugShape, description: "The preset to compare with." }))
}

export type VersionQuery = Schema.Struct<typeof resolveQuery>["Type"]

/** Builds a reference from path and query. The service validates the reference. */
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

export const toTime = ({ at, format }: VersionQuery) => ({
  at,
  format: format === undefined ? undefined : fromWireFormat(format)
})

/** Fields that identify the resolved version. */
const pinnedFields = {
  slug: Schema.String,
  version: Schema.Int,
  version_id: uuid,
  label: Schema.optionalKey(Schema.String).annotate({
    description: "The label through which the version was found."
  })
}

const Side = Schema.Literals(["preset", "request"])

export const ResolutionView = Schema.Struct({
  request: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "The resolved request, in the format of the request sent."
  }),
  format: WireFormat,
  preset: Schema.Struct(pinnedFields),
  provenance: Schema.Struct({
    fields: Schema.Record(Schema.String, Side).annotate({
      description: "The origin of each field of the request."
    }),
    tools: Schema.Array(Side).annotate({ description: "The origin of each tool, in order." }),
    system_prompt: orNull(Side, "Null if there is none.")
  }),
  left_out: Schema.Array(Schema.Struct({ field: Schema.String, reason: Schema.String })).annotate({
    description:
      "What the preset contains and the resolved request omits or changes, because its format " +
      "cannot express it or its endpoint would reject it. Also lists values without a variable, " +
      "and request fields that the preset overrides."
  })
}).annotate({ identifier: "Resolution" })

const ResolutionAnswer = makeAnswer(ResolutionView, {
  request: { model: "some/model", max_output_tokens: 500, input: "Hello" },
  format: "responses" as const,
  preset: { slug: "support-bot", version: 1, version_id: examples.version.id },
  provenance: {
    fields: { model: "preset", max_output_tokens: "preset", input: "request" },
    tools: [],
    system_prompt: null
  } as const,
  left_out: [{ field: "seed", reason: "the format of the request has no words for it" }]
}).annotate({
  identifier: "ResolutionAnswer",
  description: "The resolved request."
})

/** A version, with all that a program needs to resolve requests by itself. */
const PinView = Schema.Struct({
  ...pinnedFields,
  format: WireFormat.annotate({
    description: "The format of the request that created the version."
  }),
  variables: Variables,
  system_prompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  wins: Wins
}).annotate({ identifier: "Pin" })

const PinAnswer = makeAnswer(PinView, {
  slug: "support-bot",
  version: 1,
  version_id: examples.version.id,
  label: "production",
  format: "responses" as const,
  variables: [],
  system_prompt: examples.version.system_prompt,
  config: examples.version.config,
  wins: []
}).annotate({
  identifier: "PinAnswer",
  description: "The resolved version.",
  "x-headers": {
    ETag: {
      description: "The id of the version in double quotes, for `If-None-Match`.",
      required: true,
      schema: { type: "string" },
      example: makeEntityTag(examples.version.id)
    }
  }
})

const PreviewView = Schema.Struct({
  system_prompt: Schema.NullOr(Schema.String),
  variables: Variables,
  filled_prompt: optional(
    Schema.String,
    "The system prompt filled with the body's `variables`; omitted if there are none."
  ),
  config: PresetConfig,
  fields: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      fate: Schema.Literals(["kept", "system_prompt", "ignored"]),
      reason: Schema.String
    })
  ).annotate({ description: "Every field of the request, in its order." }),
  version: orNull(Schema.Int, "The number that the version would get; null if no preset is named."),
  changes: orNull(
    PresetDiff,
    "Changes from the designated version; null if the preset does not exist."
  )
}).annotate({ identifier: "PresetPreview" })

export const PreviewAnswer = makeAnswer(PreviewView, {
  system_prompt: null,
  variables: [],
  config: { model: "some/model" },
  fields: [
    { name: "model", fate: "kept", reason: "selects the model or provider" },
    { name: "stream", fate: "ignored", reason: "controls how one request is sent" }
  ] as const,
  version: 1,
  changes: null
}).annotate({
  identifier: "PresetPreviewAnswer",
  description: "The preview of the request. Nothing is stored."
})

/** Errors of operations that need an active preset, apart from 401. */
const errors = pickErrors(PresetErrors, 400, 404, 409, 500)

const AnyRequest = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "AnyRequest",
  description: "`variables` maps names to texts, which replace `{{name}}` in the system prompt.",
  examples: [requests.responses]
})

const NamingRequest = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "NamingRequest",
  description:
    "Names its preset in `preset`, in `model` after `@preset/`, or as `id` and `version` of " +
    "`prompt`. Variables are in `variables`, or in those of `prompt`.",
  examples: [{ model: "@preset/support-bot@production", input: "Hello" }]
})

const versionChoice =
  "Uses the designated version, unless the query selects another one; the slug can also end in " +
  "`@3`, a version, or in `@production`, a label."

const pin = describe(
  "Read the version that a reference resolves to",
  versionChoice,
  "This is for programs that resolve requests themselves: they can cache the answer, because " +
    "the content of a version never changes."
).get("pin", "/v1/presets/:slug/pin", {
  params: presetParams,
  query: versionQuery,
  headers: readConditions,
  success: [
    PinAnswer,
    HttpApiSchema.Empty(304).annotate({ description: "The version matches the tag." })
  ],
  error: errors
})

const resolve = describe(
  "Resolve a request with a preset",
  versionChoice,
  "Fields of the request take precedence over those of the preset; tools of both are combined.",
  "The answer is in the format of the request. The request can have up to 32 MiB, including",
  "files, and is not sent to a provider. Each `{{name}}` in the preset's system prompt is",
  "replaced by its value in the request's `variables`, which the answer does not contain."
).post("resolve", "/v1/presets/:slug/resolve", {
  params: presetParams,
  query: resolveQuery,
  payload: AnyRequest,
  success: ResolutionAnswer,
  error: errors
})

const resolveNamed = describe(
  "Resolve a request with the preset that it names",
  "The request names its preset in `preset`, as `notes`, `notes@3` or `notes@production`; in",
  "`model`, as `@preset/notes` or `some/model@preset/notes`; or in the form of stored prompts,",
  "as",
  '`"prompt": { "id": "notes", "version": "3", "variables": { "name": "Ann" } }`, unless the id',
  "begins with `pmpt_`. The answer does not contain the reference."
).post("resolveNamed", "/v1/resolve", {
  query: namedQuery,
  payload: NamingRequest,
  success: ResolutionAnswer,
  error: errors
})

const preview = describe(
  "Preview the preset that a request would create",
  "Shows which fields a preset would keep, and what would change in the named preset. With",
  "`variables`, also shows the filled-in system prompt. Nothing is stored."
).post("preview", "/v1/presets/preview", {
  query: previewQuery,
  payload: AnyRequest,
  success: PreviewAnswer,
  error: pickErrors(PresetErrors, 400, 409, 500)
})

/** The resolution operations, which write nothing. */
export const ResolutionApi = makeGroup("resolutions", {
  title: "Resolutions",
  description: "Requests completed by presets.",
  resource: "presets",
  reads: true
})
  .add(pin, preview, resolve, resolveNamed)
  .middleware(ParameterRules)
  .middleware(PresetAuthentication)

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
