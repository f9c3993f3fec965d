/** Defines the preset operations: paths, bodies, responses and errors. */
import { PresetChange, PresetConfig, VersionComment, Wins } from "@verbatim/core/preset"
import {
  ChatCompletionsRequest,
  MessagesRequest,
  ResponsesRequest,
  sessionIdMax
} from "@verbatim/core/request"
import { Integer, optional, Rule } from "@verbatim/core/schema"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { PresetAuthentication } from "../Authentication.ts"
import { PresetErrors, pickErrors, readErrors, writeErrors } from "../Errors.ts"
import { describe, makeGroup } from "../Operation.ts"
import { makeHeader, makeIdempotencyHeader, optionalOrNull, ParameterRules } from "../Parameters.ts"
import {
  DesignationPage,
  DiffAnswer,
  ErasedAnswer,
  PresetAnswer,
  PresetPage,
  requests,
  StagedAnswer,
  VersionAnswer,
  VersionPage
} from "./PresetAnswers.ts"
import { conditions, stagePreference } from "./PresetHeaders.ts"
import {
  countMax,
  creationQuery,
  diffQuery,
  listQuery,
  PointBody,
  pageQuery,
  presetParams,
  versionParams
} from "./PresetParameters.ts"
import { PreviewAnswer } from "./ResolutionApi.ts"

/** The body that designates a version. */
export const DesignationBody = Schema.Struct({
  version: Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(countMax)).annotate({
    description: "The number of an existing version."
  })
}).annotate({ identifier: "DesignatedVersion", examples: [{ version: 1 }] })

/**
 * The body that creates a version from another one, with changed fields. The service validates the
 * new fields.
 */
export const PartsBody = Schema.Struct({
  from: optional(
    PointBody,
    "The version to start from: its number, a label or `latest`; `designated` if omitted."
  ),
  set: optional(
    PresetConfig,
    "Config fields to set, validated like a request in the format of that version."
  ),
  unset: optional(Schema.Array(Schema.String), "Names of fields to remove."),
  system_prompt: optionalOrNull(Schema.String, "A new system prompt; null for none."),
  wins: Schema.optionalKey(Wins),
  comment: optionalOrNull(
    VersionComment,
    "The author's comment on the version. The other version's comment is not copied."
  ),
  stage: optional(Schema.Boolean, "Whether the version is only stored, not designated.")
}).annotate({
  identifier: "PresetParts",
  examples: [{ set: { temperature: 0.2 }, comment: "Cooler." }]
})

/** The body that points a label to a version. */
export const LabelBody = Schema.Struct({
  version: PointBody.annotate({
    description:
      "The number of an existing version, or a name that points to one: `designated`, `latest` " +
      "or another label."
  })
}).annotate({ identifier: "LabelPoint", examples: [{ version: 1 }] })

export const ChangeBody = PresetChange.annotate({
  identifier: "PresetChange",
  examples: [{ status: "disabled", description: "Not for now." }]
})

/** Parameters and errors of operations that read one preset. */
const reading = { params: presetParams, error: readErrors } as const

const idempotencyKey = makeIdempotencyHeader(
  "The same key with the same request within 24 hours returns the version that the first request " +
    "made; with another request, 409. The request includes the preset's name and the whole body, " +
    "even the fields that are not kept."
)

const creation = {
  params: presetParams,
  headers: {
    "idempotency-key": idempotencyKey,
    "x-session-id": makeHeader({
      maxLength: sessionIdMax,
      description: "The value is not stored. It is validated if the body has no `session_id`."
    }),
    prefer: makeHeader({
      description:
        `With \`${stagePreference}\` (RFC 7240), the same as \`stage=true\`. Other ` +
        "preferences are ignored.",
      example: stagePreference
    }),
    ...conditions
  },
  query: creationQuery,
  success: [PresetAnswer, StagedAnswer, PreviewAnswer],
  error: writeErrors
}

const storesVersion =
  "Stores the fields that a preset keeps as the next version of the preset, which is created if " +
  "it does not exist. The new version becomes the designated one. With `stage=true`, the new " +
  "version is not designated, and the answer contains it as `staged_version`; the first version " +
  "of a preset is always designated. With `dry_run=true`, nothing is stored, and the answer " +
  "shows what the request would create. Needs a management key."

const describeCreation = (kind: string, ...more: ReadonlyArray<string>) =>
  describe(
    `Create a preset or a new version from the body of a ${kind} request`,
    storesVersion,
    ...more
  )

const createFromResponses = describeCreation("Responses-style").post(
  "createFromResponses",
  "/v1/presets/:slug/responses",
  { ...creation, payload: ResponsesRequest.annotate({ examples: [requests.responses] }) }
)

const createFromChatCompletions = describeCreation(
  "chat-completions",
  "System and developer messages, separated by empty lines, form the system prompt."
).post("createFromChatCompletions", "/v1/presets/:slug/chat/completions", {
  ...creation,
  payload: ChatCompletionsRequest.annotate({ examples: [requests.chatCompletions] })
})

const createFromMessages = describeCreation(
  "messages",
  "`system`, system messages and developer messages, separated by empty lines, form the",
  "system prompt."
).post("createFromMessages", "/v1/presets/:slug/messages", {
  ...creation,
  payload: MessagesRequest.annotate({ examples: [requests.messages] })
})

const createFromVersion = describe(
  "Create a version of a preset from another one",
  "Changes some parts and keeps the rest, including the format and the fields that win over",
  "requests. If the preset changes concurrently, it is read again, so that neither change is",
  "lost. The query parameters for creating a preset are body fields here. Needs a management key."
).post("createFromVersion", "/v1/presets/:slug/versions", {
  params: presetParams,
  headers: { "idempotency-key": idempotencyKey, ...conditions },
  payload: PartsBody,
  success: [PresetAnswer, StagedAnswer],
  error: writeErrors
})

const list = describe(
  "List presets",
  "Lists all presets in the key's workspace, the most recently updated first."
).get("list", "/v1/presets", {
  query: { ...pageQuery, ...listQuery },
  success: PresetPage,
  error: pickErrors(PresetErrors, 400, 500)
})

const get = describe(
  "Read a preset with its designated version",
  "Disabled and archived presets can also be read."
).get("get", "/v1/presets/:slug", {
  ...reading,
  success: PresetAnswer
})

const versions = describe("List the versions of a preset", "The oldest version comes first.").get(
  "versions",
  "/v1/presets/:slug/versions",
  {
    ...reading,
    query: pageQuery,
    success: VersionPage
  }
)

const version = describe(
  "Read a version of a preset",
  "Versions are immutable, except that their content can be erased."
).get("version", "/v1/presets/:slug/versions/:version", {
  params: versionParams,
  success: VersionAnswer,
  error: readErrors
})

const diff = describe(
  "Compare two versions of a preset",
  "The versions can belong to different presets. A version is named by its number, a label,",
  "`designated` or `latest`. Paths are JSON pointers (RFC 6901) into the config. Objects are",
  "compared field by field; lists and single values are compared as a whole."
).get("diff", "/v1/presets/:slug/diff", {
  ...reading,
  query: diffQuery,
  success: DiffAnswer
})

const designations = describe(
  "Read the history of designations",
  "Lists the designated versions in order, with users and timestamps. Creating a version also",
  "designates it, unless it is staged."
).get("designations", "/v1/presets/:slug/designations", {
  ...reading,
  query: pageQuery,
  success: DesignationPage
})

const designate = describe(
  "Designate a version of a preset",
  "To roll back, designate an earlier version. Needs a management key."
).put("designate", "/v1/presets/:slug/designated-version", {
  params: presetParams,
  headers: conditions,
  payload: DesignationBody,
  success: PresetAnswer,
  error: writeErrors
})

const revise = describe(
  "Change the status, name or description of a preset",
  "Omitted fields stay unchanged. An archived preset accepts only the status `active`. Needs a",
  "management key. Any status other than `active` disables the preset's labels, and `active`",
  "enables them again. If a label of the preset is protected, a change of status needs the",
  "scope `labels:<name>`."
).patch("revise", "/v1/presets/:slug", {
  params: presetParams,
  headers: conditions,
  payload: ChangeBody,
  success: PresetAnswer,
  error: writeErrors
})

const erase = describe(
  "Erase the content of a version",
  "This is meant for content that should never have been stored, such as a secret. The version",
  "keeps its number, author and comment, and shows who erased it and when. The",
  "designated version and versions with a label cannot be erased. Repeating the request changes",
  "nothing. Needs a management key."
).delete("erase", "/v1/presets/:slug/versions/:version/content", {
  params: versionParams,
  headers: conditions,
  success: ErasedAnswer,
  error: writeErrors
})

const Removed = HttpApiSchema.NoContent.annotate({ description: "The preset was removed." })

const remove = describe(
  "Remove an archived preset",
  "Permanently removes the preset with its versions, labels and history. The slug can be reused",
  "immediately. Needs a management key; if a label of the preset is protected, the key also",
  "needs the scope `labels:<name>`."
).delete("remove", "/v1/presets/:slug", {
  params: presetParams,
  headers: conditions,
  success: Removed,
  error: writeErrors
})

export const PresetApi = makeGroup("presets", {
  title: "Presets",
  description: "Versioned presets.",
  resource: "presets"
})
  .add(
    createFromResponses,
    createFromChatCompletions,
    createFromMessages,
    createFromVersion,
    list,
    get,
    revise,
    versions,
    version,
    designate,
    designations,
    diff,
    erase,
    remove
  )
  .middleware(ParameterRules)
  .middleware(PresetAuthentication)
