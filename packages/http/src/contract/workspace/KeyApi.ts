/**
 * The operations on keys as values, twice: for operators, who manage the keys of all workspaces,
 * and for management keys, which manage those of their own.
 */
import { Integer, instantForm, Rule, readInstant } from "@verbatim/core/schema"
import { isLabelScope, KeyKind, KeyName, labelNameMax, scopes } from "@verbatim/core/workspace"
import { Option, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { KeyManagement, OperatorAuthentication } from "../Authentication.ts"
import { changeErrors, KeyErrors, WorkspaceErrors } from "../Errors.ts"
import { describe, pickErrors } from "../Operation.ts"
import { IssuedKeyAnswer, KeyPage, PartialLimits, requests } from "./WorkspaceAnswers.ts"
import { keyParams, workspaceKeyParams, workspaceParams } from "./WorkspaceApi.ts"

const Instant = Schema.String.check(
  Schema.makeFilter<string>((text) => Option.isSome(readInstant(text)), {
    message: "must be an instant such as 2030-01-02T03:04:05Z",
    toJsonSchema: () => ({ format: "date-time", pattern: instantForm.source })
  })
)

/** What may be left out; null says the same, as answers show it. */
const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))

const scopeRule = `must be one of ${scopes.join(", ")}, or labels: and the name of a label`

/** The scope of a label, which only operators give. */
const LabelScope = Schema.TemplateLiteral(["labels:", Schema.String]).check(
  Schema.makeFilter<string>(isLabelScope, {
    message: scopeRule,
    toJsonSchema: () => ({ pattern: `^labels:[a-z][a-z0-9_-]{0,${labelNameMax - 1}}$` })
  })
)

const Scopes = Schema.Array(
  Schema.Union([Schema.Literals(scopes), LabelScope]).annotate({ message: scopeRule })
).check(Rule.someItems("scope"), Schema.isUnique({ message: "must not name a scope twice" }))

/** A key to issue. */
export const KeyOrder = Schema.Struct({
  kind: KeyKind.annotate({ description: "Only management keys change presets and manage keys." }),
  name: optional(KeyName, "What people call it."),
  user: optional(
    KeyName,
    "The host's own name for the user whom the key belongs to; the first user of the workspace " +
      "when it is left out."
  ),
  scopes: optional(
    Scopes,
    "What the key may do of what its kind may; all of that, but for labels, when it is left out. " +
      "The scope `labels:<name>`, for management keys, moves that label where it is protected; " +
      "only operators give it. A key with a list of scopes manages no keys."
  ),
  expires_at: optional(Instant, "From when on the key is refused; it lies in the future."),
  limits: optional(
    PartialLimits,
    "What may be asked for with the key at most, beside the limits of its workspace."
  )
}).annotate({ identifier: "KeyOrder", examples: [requests.key] })

/** Thirty days: longer than it takes to bring a new key everywhere. */
const overlapMax = 2_592_000

/** An hour. */
export const overlapDefault = 3_600

/** How a key is replaced. */
export const Rotation = Schema.Struct({
  overlap_seconds: Schema.optionalKey(
    Integer.check(Rule.numberAtLeast(0), Rule.numberAtMost(overlapMax)).annotate({
      description: `How long the old key goes on being valid; ${overlapDefault} when left out.`
    })
  )
}).annotate({ identifier: "KeyRotation", examples: [requests.rotation] })

const Revoked = HttpApiSchema.NoContent.annotate({ description: "The key is revoked." })

const listing = describe("List the keys of a workspace", "The oldest first, revoked ones too.")

const issuing = describe(
  "Issue a key",
  "Its token is in the answer, once. A workspace has at most 1000 keys; those that ended more than",
  "30 days ago make room for new ones."
)

const rotating = describe(
  "Replace a key by a new one that is like it",
  "The old one goes on being valid for `overlap_seconds`, so that both work until the new one is",
  "everywhere. The token of the new one is in the answer, once."
)

const revoking = describe("Revoke a key", "It is refused at once, and for good.")

/** What operators are answered with who issue a key, or replace one. */
const issuedByOperator = { success: IssuedKeyAnswer, error: changeErrors } as const

/** What is answered for a key of one's own workspace. */
const issued = {
  success: IssuedKeyAnswer,
  error: pickErrors(KeyErrors, 400, 404, 409, 429, 500)
} as const

const ofWorkspace = { params: workspaceParams } as const
const ofKey = { params: workspaceKeyParams } as const

/** The keys of any workspace, as operators manage them. */
export const WorkspaceKeyApi = HttpApiGroup.make("workspaceKeys")
  .add(
    HttpApiEndpoint.get("list", "/v1/workspaces/:id/keys", {
      ...ofWorkspace,
      success: KeyPage,
      error: pickErrors(WorkspaceErrors, 404, 429)
    }).annotateMerge(listing),
    HttpApiEndpoint.post("issue", "/v1/workspaces/:id/keys", {
      ...ofWorkspace,
      payload: KeyOrder,
      ...issuedByOperator
    }).annotateMerge(issuing),
    HttpApiEndpoint.post("rotate", "/v1/workspaces/:id/keys/:key_id/rotate", {
      ...ofKey,
      payload: Rotation,
      ...issuedByOperator
    }).annotateMerge(rotating),
    HttpApiEndpoint.delete("revoke", "/v1/workspaces/:id/keys/:key_id", {
      ...ofKey,
      success: Revoked,
      error: pickErrors(WorkspaceErrors, 404, 429)
    }).annotateMerge(revoking)
  )
  .middleware(OperatorAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Keys of workspaces",
      description: "The keys of any workspace. Takes an operator key."
    })
  )

/** The keys of one's own workspace. */
export const KeyApi = HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/v1/keys", {
      success: KeyPage,
      error: pickErrors(KeyErrors, 404, 429, 500)
    }).annotateMerge(listing),
    HttpApiEndpoint.post("issue", "/v1/keys", {
      payload: KeyOrder,
      ...issued
    }).annotateMerge(issuing),
    HttpApiEndpoint.post("rotate", "/v1/keys/:key_id/rotate", {
      params: keyParams,
      payload: Rotation,
      ...issued
    }).annotateMerge(rotating),
    HttpApiEndpoint.delete("revoke", "/v1/keys/:key_id", {
      params: keyParams,
      success: Revoked,
      error: pickErrors(KeyErrors, 404, 429, 500)
    }).annotateMerge(revoking)
  )
  .middleware(KeyManagement)
  .annotateMerge(
    OpenApi.annotations({
      title: "Keys",
      description:
        "The keys of one's own workspace. Takes a management key without a list of scopes."
    })
  )
