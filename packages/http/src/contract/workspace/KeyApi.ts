/**
 * Defines the key operations in two groups: operators manage the keys in all workspaces, and
 * management keys manage those in their own workspace.
 */
import { Integer, instantForm, optional, Rule, readInstant } from "@verbatim/core/schema"
import { isLabelScope, KeyKind, KeyName, labelNameMax, scopes } from "@verbatim/core/workspace"
import { Option, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { KeyManagement, OperatorAuthentication } from "../Authentication.ts"
import { changeErrors, KeyErrors, pickErrors, WorkspaceErrors } from "../Errors.ts"
import { describe, makeGroup } from "../Operation.ts"
import { optionalOrNull } from "../Parameters.ts"
import { IssuedKeyAnswer, KeyPage, PartialLimits, requests } from "./WorkspaceAnswers.ts"
import { keyParams, workspaceKeyParams, workspaceParams } from "./WorkspaceApi.ts"

const Instant = Schema.String.check(
  Schema.makeFilter<string>((text) => Option.isSome(readInstant(text)), {
    message: "must be an instant such as 2030-01-02T03:04:05Z",
    toJsonSchema: () => ({ format: "date-time", pattern: instantForm.source })
  })
)

const scopeRule = `must be one of ${scopes.join(", ")}, or labels: and the name of a label`

/** A label's scope, which only operators can grant. */
const LabelScope = Schema.TemplateLiteral(["labels:", Schema.String]).check(
  Schema.makeFilter<string>(isLabelScope, {
    message: scopeRule,
    toJsonSchema: () => ({ pattern: `^labels:[a-z][a-z0-9_-]{0,${labelNameMax - 1}}$` })
  })
)

const Scopes = Schema.Array(
  Schema.Union([Schema.Literals(scopes), LabelScope]).annotate({ message: scopeRule })
).check(Rule.someItems("scope"), Schema.isUnique({ message: "must not name a scope twice" }))

/** The body that issues a key. */
export const KeyOrder = Schema.Struct({
  kind: KeyKind.annotate({
    description: "Only management keys can change presets and manage keys."
  }),
  name: optionalOrNull(KeyName, "A readable name."),
  user: optionalOrNull(
    KeyName,
    "The host's own id for the key's user; the first user of the workspace if omitted."
  ),
  scopes: optionalOrNull(
    Scopes,
    "Restricts the permissions of the key's kind; if omitted, the key has all of them " +
      "except label scopes. The scope `labels:<name>`, for management keys, allows moving that " +
      "label while it is protected; only operators grant it. A key with a list of scopes cannot " +
      "manage keys."
  ),
  expires_at: optionalOrNull(Instant, "When the key expires; must be in the future."),
  limits: optionalOrNull(PartialLimits, "Limits of the key, in addition to those of its workspace.")
}).annotate({ identifier: "KeyOrder", examples: [requests.key] })

/** A replaced key stays valid for at most thirty days, enough time to distribute the new key. */
const overlapMax = 2_592_000

/** By default, a replaced key stays valid for one hour. */
export const overlapDefault = 3_600

/** The body that replaces a key. */
export const Rotation = Schema.Struct({
  overlap_seconds: optional(
    Integer.check(Rule.numberAtLeast(0), Rule.numberAtMost(overlapMax)),
    `How long the old key stays valid; ${overlapDefault} if omitted.`
  )
}).annotate({ identifier: "KeyRotation", examples: [requests.rotation] })

const Revoked = HttpApiSchema.NoContent.annotate({ description: "The key was revoked." })

const listing = describe(
  "List the keys of a workspace",
  "Lists all keys, including revoked ones, the oldest first."
)

const issuing = describe(
  "Issue a key",
  "Only this answer contains the token. A workspace has at most 1000 keys. If",
  "it is full, a new key replaces expired and revoked keys, beginning with those that expired or",
  "were revoked more than 30 days ago."
)

const rotating = describe(
  "Replace a key with a new one that has the same settings",
  "The old key stays valid for `overlap_seconds`, so that both keys work until the new one is in",
  "use everywhere. Only this answer contains the new token."
)

const revoking = describe(
  "Revoke a key",
  "The revocation takes effect immediately and cannot be undone."
)

/** Responses and errors when an operator issues or replaces a key. */
const issuedByOperator = { success: IssuedKeyAnswer, error: changeErrors } as const

/** Responses and errors when a caller issues or replaces a key in their own workspace. */
const issued = {
  success: IssuedKeyAnswer,
  error: pickErrors(KeyErrors, 400, 404, 409, 429, 500)
} as const

const ofWorkspace = { params: workspaceParams } as const
const ofKey = { params: workspaceKeyParams } as const

/** Lets operators manage the keys of any workspace. */
export const WorkspaceKeyApi = makeGroup("workspaceKeys", {
  title: "Keys of workspaces",
  description: "The keys of any workspace. Needs an operator key."
})
  .add(
    listing.get("list", "/v1/workspaces/:id/keys", {
      ...ofWorkspace,
      success: KeyPage,
      error: pickErrors(WorkspaceErrors, 404, 429)
    }),
    issuing.post("issue", "/v1/workspaces/:id/keys", {
      ...ofWorkspace,
      payload: KeyOrder,
      ...issuedByOperator
    }),
    rotating.post("rotate", "/v1/workspaces/:id/keys/:key_id/rotate", {
      ...ofKey,
      payload: Rotation,
      ...issuedByOperator
    }),
    revoking.delete("revoke", "/v1/workspaces/:id/keys/:key_id", {
      ...ofKey,
      success: Revoked,
      error: pickErrors(WorkspaceErrors, 404, 429)
    })
  )
  .middleware(OperatorAuthentication)

/** Lets management keys manage the keys of their own workspace. */
export const KeyApi = makeGroup("keys", {
  title: "Keys",
  description: "The keys of your own workspace. Needs a management key without a list of scopes."
})
  .add(
    listing.get("list", "/v1/keys", {
      success: KeyPage,
      error: pickErrors(KeyErrors, 404, 429, 500)
    }),
    issuing.post("issue", "/v1/keys", {
      payload: KeyOrder,
      ...issued
    }),
    rotating.post("rotate", "/v1/keys/:key_id/rotate", {
      params: keyParams,
      payload: Rotation,
      ...issued
    }),
    revoking.delete("revoke", "/v1/keys/:key_id", {
      params: keyParams,
      success: Revoked,
      error: pickErrors(KeyErrors, 404, 429, 500)
    })
  )
  .middleware(KeyManagement)
