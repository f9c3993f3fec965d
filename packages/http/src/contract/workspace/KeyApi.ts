/**
 * The operations on keys as values, twice: for operators, who manage the keys of all workspaces,
 * and for management keys, which manage those of their own.
 */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { KeyManagement, OperatorAuthentication } from "../Authentication.ts"
import { describe } from "../OperationDescription.ts"
import { KeyOrder, Rotation } from "./KeyBodies.ts"
import { IssuedKeyAnswer, KeyPage } from "./WorkspaceAnswers.ts"
import { changeErrors, KeyErrors, WorkspaceErrors } from "./WorkspaceErrors.ts"
import { keyParams, workspaceKeyParams, workspaceParams } from "./WorkspaceParameters.ts"

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
  error: [KeyErrors[400], KeyErrors[404], KeyErrors[409], KeyErrors[429], KeyErrors[500]]
} as const

const ofWorkspace = { params: workspaceParams } as const
const ofKey = { params: workspaceKeyParams } as const

/** The keys of any workspace, as operators manage them. */
export const WorkspaceKeyApi = HttpApiGroup.make("workspaceKeys")
  .add(
    HttpApiEndpoint.get("list", "/v1/workspaces/:id/keys", {
      ...ofWorkspace,
      success: KeyPage,
      error: [WorkspaceErrors[404], WorkspaceErrors[429]]
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
      error: [WorkspaceErrors[404], WorkspaceErrors[429]]
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
      error: [KeyErrors[404], KeyErrors[429], KeyErrors[500]]
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
      error: [KeyErrors[404], KeyErrors[429], KeyErrors[500]]
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
