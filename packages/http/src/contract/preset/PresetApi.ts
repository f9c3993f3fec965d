/**
 * The preset operations as values: paths, bodies, answers and errors.
 */
import { PresetChange, PresetConfig, VersionComment, Wins } from "@verbatim/core/preset"
import {
  ChatCompletionsRequest,
  MessagesRequest,
  ResponsesRequest,
  sessionIdMax
} from "@verbatim/core/request"
import { Integer, Rule } from "@verbatim/core/schema"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PresetAuthentication, Resource } from "../Authentication.ts"
import { PresetErrors, readErrors, writeErrors } from "../Errors.ts"
import { describe, pickErrors } from "../Operation.ts"
import { makeIdempotencyHeader, ParameterRules } from "../Parameters.ts"
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

/** The version to designate. */
export const DesignationBody = Schema.Struct({
  version: Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(countMax)).annotate({
    description: "The number of an existing version."
  })
}).annotate({ identifier: "DesignatedVersion", examples: [{ version: 1 }] })

/** The parts of another version that change. The service judges the new fields. */
export const PartsBody = Schema.Struct({
  from: Schema.optionalKey(
    PointBody.annotate({
      description:
        "The version that the rest is taken from: its number, a label, `latest` or, if left " +
        "out, `designated`."
    })
  ),
  set: Schema.optionalKey(
    PresetConfig.annotate({
      description: "Fields of the config, judged as a request in the format of that version."
    })
  ),
  unset: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Names of fields to remove." })
  ),
  system_prompt: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "A new system prompt; null for none." })
  ),
  wins: Schema.optionalKey(Wins),
  comment: Schema.optionalKey(
    Schema.NullOr(VersionComment).annotate({
      description:
        "What the author says about the version. The comment of the other one is not kept."
    })
  ),
  stage: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether the version is only stored, and not designated."
    })
  )
}).annotate({
  identifier: "PresetParts",
  examples: [{ set: { temperature: 0.2 }, comment: "Cooler." }]
})

/** Where a label shall point. */
export const LabelBody = Schema.Struct({
  version: PointBody.annotate({
    description:
      "The number of an existing version, or what points to one: `designated`, `latest` or " +
      "another label."
  })
}).annotate({ identifier: "LabelPoint", examples: [{ version: 1 }] })

/** What to change. */
export const ChangeBody = PresetChange.annotate({
  identifier: "PresetChange",
  examples: [{ status: "disabled", description: "Not for now." }]
})

/** What operations that read one preset share. */
const reading = { params: presetParams, error: readErrors } as const

const idempotencyKey = makeIdempotencyHeader(
  "The same key with the same request, within 24 hours, is answered with the version that " +
    "the first one made; with another one, with 409. The name of the preset belongs to the " +
    "request, and so does the whole body, also what is not kept of it."
)

const creation = {
  params: presetParams,
  headers: {
    "idempotency-key": idempotencyKey,
    "x-session-id": Schema.optionalKey(
      Schema.String.annotate({
        "x-schema": {
          type: "string",
          maxLength: sessionIdMax,
          description: "Not kept; held to its limit when the body has no `session_id`."
        }
      })
    ),
    prefer: Schema.optionalKey(
      Schema.String.annotate({
        "x-schema": {
          type: "string",
          description:
            `With \`${stagePreference}\` (RFC 7240), the same as \`stage=true\`. Other ` +
            "preferences are passed over.",
          example: stagePreference
        }
      })
    ),
    ...conditions
  },
  query: creationQuery,
  success: [PresetAnswer, StagedAnswer, PreviewAnswer],
  error: writeErrors
}

const storesVersion =
  "Stores the fields that a preset keeps as the next version of the preset, which is created " +
  "when there is none. The new version is the designated one. With `stage=true` the designated " +
  "one stays, and the answer has the new one as `staged_version`; the first version of a preset " +
  "is designated all the same. With `dry_run=true` nothing is stored, and the answer tells what " +
  "the request would become. Needs a management key."

const describeCreation = (kind: string, ...more: ReadonlyArray<string>) =>
  describe(
    `Create a preset, or a version of it, from the body of a ${kind} request`,
    storesVersion,
    ...more
  )

const createFromResponses = HttpApiEndpoint.post(
  "createFromResponses",
  "/v1/presets/:slug/responses",
  { ...creation, payload: ResponsesRequest.annotate({ examples: [requests.responses] }) }
).annotateMerge(describeCreation("Responses-style"))

const createFromChatCompletions = HttpApiEndpoint.post(
  "createFromChatCompletions",
  "/v1/presets/:slug/chat/completions",
  {
    ...creation,
    payload: ChatCompletionsRequest.annotate({ examples: [requests.chatCompletions] })
  }
).annotateMerge(
  describeCreation(
    "chat-completions",
    "System and developer messages become the system prompt, joined by an empty line."
  )
)

const createFromMessages = HttpApiEndpoint.post(
  "createFromMessages",
  "/v1/presets/:slug/messages",
  { ...creation, payload: MessagesRequest.annotate({ examples: [requests.messages] }) }
).annotateMerge(
  describeCreation(
    "messages",
    "`system`, system and developer messages become the system prompt, joined by an empty line."
  )
)

const createFromVersion = HttpApiEndpoint.post("createFromVersion", "/v1/presets/:slug/versions", {
  params: presetParams,
  headers: { "idempotency-key": idempotencyKey, ...conditions },
  payload: PartsBody,
  success: [PresetAnswer, StagedAnswer],
  error: writeErrors
}).annotateMerge(
  describe(
    "Create a version of a preset from another one",
    "With some of its parts changed: the rest stays, its format and what wins over requests",
    "included. A preset that others change meanwhile is read again, so none of two changes is",
    "lost. All that a creation takes in the query stands in the body. Needs a management key."
  )
)

const list = HttpApiEndpoint.get("list", "/v1/presets", {
  query: listQuery,
  success: PresetPage,
  error: pickErrors(PresetErrors, 400, 500)
}).annotateMerge(
  describe("List presets", "Those of the workspace of the key, the last updated first.")
)

const get = HttpApiEndpoint.get("get", "/v1/presets/:slug", {
  ...reading,
  success: PresetAnswer
}).annotateMerge(describe("Read a preset with its designated version", "Whatever its status is."))

const versions = HttpApiEndpoint.get("versions", "/v1/presets/:slug/versions", {
  ...reading,
  query: pageQuery,
  success: VersionPage
}).annotateMerge(describe("List the versions of a preset", "The oldest first."))

const version = HttpApiEndpoint.get("version", "/v1/presets/:slug/versions/:version", {
  params: versionParams,
  success: VersionAnswer,
  error: readErrors
}).annotateMerge(
  describe(
    "Read a version of a preset",
    "A version never changes, but for one thing: its content may be erased."
  )
)

const diff = HttpApiEndpoint.get("diff", "/v1/presets/:slug/diff", {
  ...reading,
  query: diffQuery,
  success: DiffAnswer
}).annotateMerge(
  describe(
    "Compare two versions of a preset",
    "Or two of two presets. A version is named by its number, by a label, or as `designated` or",
    "`latest`. Paths are JSON pointers (RFC 6901) into the config. Objects are looked into;",
    "lists and single values are compared as wholes."
  )
)

const designations = HttpApiEndpoint.get("designations", "/v1/presets/:slug/designations", {
  ...reading,
  query: pageQuery,
  success: DesignationPage
}).annotateMerge(
  describe(
    "Read who designated which version when",
    "In the order in which it happened. A new version designates itself."
  )
)

const designate = HttpApiEndpoint.put("designate", "/v1/presets/:slug/designated-version", {
  params: presetParams,
  headers: conditions,
  payload: DesignationBody,
  success: PresetAnswer,
  error: writeErrors
}).annotateMerge(
  describe("Designate a version of a preset", "To roll back, for example. Needs a management key.")
)

const revise = HttpApiEndpoint.patch("revise", "/v1/presets/:slug", {
  params: presetParams,
  headers: conditions,
  payload: ChangeBody,
  success: PresetAnswer,
  error: writeErrors
}).annotateMerge(
  describe(
    "Change status, name or description of a preset",
    "What is left out stays as it is. An archived preset only takes the status `active`.",
    "Needs a management key. A status takes the labels of the preset out of service, or brings",
    "them back: where one is protected, the key needs the scope `labels:<name>`."
  )
)

const erase = HttpApiEndpoint.delete("erase", "/v1/presets/:slug/versions/:version/content", {
  params: versionParams,
  headers: conditions,
  success: ErasedAnswer,
  error: writeErrors
}).annotateMerge(
  describe(
    "Erase the content of a version",
    "For what should never have been stored, such as a secret in a prompt. The version keeps its",
    "number, its author and its comment, and says when it was erased and by whom. It must not be",
    "the designated one, nor have a label, protected or not. Twice is once. Needs a management",
    "key."
  )
)

const Removed = HttpApiSchema.NoContent.annotate({ description: "The preset is removed." })

const remove = HttpApiEndpoint.delete("remove", "/v1/presets/:slug", {
  params: presetParams,
  headers: conditions,
  success: Removed,
  error: writeErrors
}).annotateMerge(
  describe(
    "Remove an archived preset",
    "With its versions, its labels and all that is known of it, for good. Its slug is free at",
    "once.",
    "Needs a management key, which must be one that may remove each of its labels: where one is",
    "protected, one with the scope `labels:<name>`."
  )
)

/** Versioned presets. */
export const PresetApi = HttpApiGroup.make("presets")
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
  .annotate(Resource, "presets")
  // Both wrong parameters of a query are named, not the first alone.
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(OpenApi.annotations({ title: "Presets", description: "Versioned presets." }))
