/**
 * The operations on workspaces as values: paths, bodies, answers and errors. They take an operator
 * key.
 */
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OperatorAuthentication } from "../Authentication.ts"
import { describe } from "../OperationDescription.ts"
import { AccountAnswer, AccountPage, BalanceAnswer, WorkspaceAnswer } from "./WorkspaceAnswers.ts"
import { ChangeBody, CreditBody, WorkspaceOrder } from "./WorkspaceBodies.ts"
import { changeErrors, WorkspaceErrors } from "./WorkspaceErrors.ts"
import {
  externalParams,
  pageQuery,
  WorkspaceParameterRules,
  workspaceParams
} from "./WorkspaceParameters.ts"

const create = HttpApiEndpoint.post("create", "/v1/workspaces", {
  payload: WorkspaceOrder,
  success: WorkspaceAnswer,
  error: [WorkspaceErrors[400], WorkspaceErrors[409], WorkspaceErrors[429]]
}).annotateMerge(
  describe("Create a workspace", "It has no key and no minutes, and webhooks without a secret.")
)

const ensure = HttpApiEndpoint.put("ensure", "/v1/workspaces/by-external-id/:external_id", {
  params: externalParams,
  success: WorkspaceAnswer,
  error: [WorkspaceErrors[400], WorkspaceErrors[429]]
}).annotateMerge(
  describe(
    "Find the workspace with an external id, or create it",
    "It is made once, however many ask at the same time, and is then named after the external id."
  )
)

const list = HttpApiEndpoint.get("list", "/v1/workspaces", {
  query: pageQuery,
  success: AccountPage,
  error: [WorkspaceErrors[400], WorkspaceErrors[429]]
})
  .middleware(WorkspaceParameterRules)
  .annotateMerge(
    describe("List workspaces", "In the order of their creation, with what they have left.")
  )

const get = HttpApiEndpoint.get("get", "/v1/workspaces/:id", {
  params: workspaceParams,
  success: AccountAnswer,
  error: [WorkspaceErrors[404], WorkspaceErrors[429]]
}).annotateMerge(
  describe("Read a workspace", "With what it has left. A deleted one can be read, too.")
)

const revise = HttpApiEndpoint.patch("revise", "/v1/workspaces/:id", {
  params: workspaceParams,
  payload: ChangeBody,
  success: WorkspaceAnswer,
  error: changeErrors
}).annotateMerge(
  describe(
    "Change a workspace: its name, its status, its limits, its keywords, or how long it keeps what",
    "What is left out stays as it is. The keys of a disabled workspace are refused; its jobs go on."
  )
)

const remove = HttpApiEndpoint.delete("remove", "/v1/workspaces/:id", {
  params: workspaceParams,
  success: WorkspaceAnswer,
  error: [WorkspaceErrors[404], WorkspaceErrors[409], WorkspaceErrors[429]]
}).annotateMerge(
  describe(
    "Delete a workspace",
    "Its keys are refused from now on, and what it has is removed in steps. Its ledger stays. Its",
    "external id is free again."
  )
)

const credit = HttpApiEndpoint.post("credit", "/v1/workspaces/:id/credits", {
  params: workspaceParams,
  payload: CreditBody,
  success: BalanceAnswer,
  error: [WorkspaceErrors[400], WorkspaceErrors[404], WorkspaceErrors[429]]
}).annotateMerge(describe("Give minutes to a workspace", "Or take some away."))

/** Workspaces, as operators manage them. */
export const WorkspaceApi = HttpApiGroup.make("workspaces")
  .add(create, ensure, list, get, revise, remove, credit)
  .middleware(OperatorAuthentication)
  // Both wrong parameters of a query are named, not the first alone.
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Workspaces",
      description: "Tenants, as an operator manages them. Takes an operator key."
    })
  )
