/**
 * The operations of operators on the protected labels of any workspace, as values.
 */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OperatorAuthentication } from "../Authentication.ts"
import { describe } from "../OperationDescription.ts"
import { ProtectionList } from "../preset/labels/LabelAnswers.ts"
import { protectionParams } from "../preset/labels/LabelParameters.ts"
import { changeErrors, WorkspaceErrors } from "./WorkspaceErrors.ts"
import { workspaceParams } from "./WorkspaceParameters.ts"

const params = { ...workspaceParams, ...protectionParams }

const empty = (description: string) => HttpApiSchema.NoContent.annotate({ description })

/** Which labels are protected in any workspace, as operators decide it. */
export const WorkspaceLabelApi = HttpApiGroup.make("workspaceLabels")
  .add(
    HttpApiEndpoint.get("list", "/v1/workspaces/:id/labels/protected", {
      params: workspaceParams,
      success: ProtectionList,
      error: [WorkspaceErrors[404], WorkspaceErrors[429]]
    }).annotateMerge(describe("List the protected labels of a workspace", "By name, at most 50.")),
    HttpApiEndpoint.put("protect", "/v1/workspaces/:id/labels/protected/:label", {
      params,
      success: empty("The label is protected."),
      error: changeErrors
    }).annotateMerge(
      describe(
        "Protect a label in a workspace",
        "From now on only keys with the scope `labels:<name>` move or remove it, in all presets of",
        "the workspace. Only operators give that scope to a key. Twice is once."
      )
    ),
    HttpApiEndpoint.delete("unprotect", "/v1/workspaces/:id/labels/protected/:label", {
      params,
      success: empty("The label is not protected."),
      error: changeErrors
    }).annotateMerge(
      describe(
        "Lift the protection of a label in a workspace",
        "From now on every key that designates versions moves it. Twice is once."
      )
    )
  )
  .middleware(OperatorAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Protected labels of workspaces",
      description: "Labels that only some keys may move. Takes an operator key."
    })
  )
