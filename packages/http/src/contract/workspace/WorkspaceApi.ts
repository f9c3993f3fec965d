/** Defines the workspace operations. All of them need an operator key. */
import { Rule } from "@verbatim/core/schema"
import {
  ExternalId,
  Keywords,
  SettableStatus,
  WorkspaceId,
  WorkspaceName
} from "@verbatim/core/workspace"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OperatorAuthentication } from "../Authentication.ts"
import { changeErrors, WorkspaceErrors } from "../Errors.ts"
import { describe, pickErrors } from "../Operation.ts"
import { ParameterRules, pageLimit } from "../Parameters.ts"
import {
  AccountAnswer,
  AccountPage,
  BalanceAnswer,
  PartialLimits,
  RetentionBody,
  requests,
  WorkspaceAnswer
} from "./WorkspaceAnswers.ts"

/** Creates an id parameter in a path. An id that is not a UUID matches nothing. */
const makeId = (description: string) =>
  Schema.String.annotate({ "x-schema": { type: "string", format: "uuid", description } })

const keyId = makeId("The id of the key.")

export const workspaceParams = { id: makeId("The id of the workspace.") }

export const workspaceKeyParams = { ...workspaceParams, key_id: keyId }

/** A key in the caller's own workspace. */
export const keyParams = { key_id: keyId }

/** A workspace by its external id. */
const externalParams = {
  external_id: Schema.String.annotate({
    "x-schema": {
      type: "string",
      minLength: 1,
      maxLength: 255,
      description: "The host's own id for the workspace."
    }
  })
}

/** The schema that validates the external id in a path. */
export const ExternalName = Schema.Struct({ external_id: ExternalId })

const pageQuery = {
  cursor: Schema.optionalKey(
    Schema.String.annotate({
      // A parameter that was sent twice is not a string.
      message: "must be sent once",
      description: "The `next_cursor` of the previous page."
    })
      .check(Schema.isUUID(undefined, { message: "must be the next_cursor of a page" }))
      .pipe(Schema.decodeTo(WorkspaceId))
  ),
  limit: pageLimit
}

/** Ten million minutes are nineteen years, so any larger number is a typo. */
const minutesMax = 1e7

/** A workspace to create. Null counts as omitted, so that clients can send a response back. */
export const WorkspaceOrder = Schema.Struct({
  name: WorkspaceName.annotate({ description: "A readable name." }),
  external_id: Schema.optionalKey(
    Schema.NullOr(ExternalId).annotate({
      description: "The host's own id for the workspace, unique among workspaces."
    })
  ),
  limits: Schema.optionalKey(
    Schema.NullOr(PartialLimits).annotate({
      description: "The limits of the workspace; an omitted field means no limit."
    })
  )
}).annotate({ identifier: "WorkspaceOrder", examples: [requests.workspace] })

export const ChangeBody = Schema.Struct({
  name: Schema.optionalKey(WorkspaceName),
  status: Schema.optionalKey(SettableStatus),
  limits: Schema.optionalKey(
    PartialLimits.annotate({
      description: "The limits to change; null removes a limit, and omitted ones stay unchanged."
    })
  ),
  retention: Schema.optionalKey(RetentionBody),
  keywords: Schema.optionalKey(
    Schema.NullOr(Keywords).annotate({
      description: "The complete new list of keywords; null or an empty list for none."
    })
  )
}).annotate({
  identifier: "WorkspaceChange",
  examples: [requests.change]
})

/** The number of minutes to add. */
export const CreditBody = Schema.Struct({
  minutes: Schema.Finite.check(
    Rule.numberAtLeast(-minutesMax),
    Rule.numberAtMost(minutesMax)
  ).annotate({ description: "Minutes to add; a negative number deducts minutes." }),
  credit_id: Schema.optionalKey(
    Schema.NullOr(
      Schema.String.check(Schema.isUUID(undefined, { message: "must be a UUID" }))
    ).annotate({
      description:
        "A UUID chosen by the caller: credits with the same id count once, so that a caller that " +
        "received no answer can repeat the request. Without it, each request is a separate " +
        "credit."
    })
  )
}).annotate({ identifier: "Credit", examples: [requests.credit] })

const create = HttpApiEndpoint.post("create", "/v1/workspaces", {
  payload: WorkspaceOrder,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 400, 409, 429)
}).annotateMerge(
  describe(
    "Create a workspace",
    "The new workspace has no keys, no minutes, and no webhook secret."
  )
)

const ensure = HttpApiEndpoint.put("ensure", "/v1/workspaces/by-external-id/:external_id", {
  params: externalParams,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 400, 429)
}).annotateMerge(
  describe(
    "Find the workspace with an external id, or create it",
    "Concurrent requests create only one workspace, which is named after its external id."
  )
)

const list = HttpApiEndpoint.get("list", "/v1/workspaces", {
  query: pageQuery,
  success: AccountPage,
  error: pickErrors(WorkspaceErrors, 400, 429)
}).annotateMerge(
  describe("List workspaces", "The list is in order of creation, and includes the balances.")
)

const get = HttpApiEndpoint.get("get", "/v1/workspaces/:id", {
  params: workspaceParams,
  success: AccountAnswer,
  error: pickErrors(WorkspaceErrors, 404, 429)
}).annotateMerge(
  describe("Read a workspace", "Includes the balance. A deleted workspace can still be read.")
)

const revise = HttpApiEndpoint.patch("revise", "/v1/workspaces/:id", {
  params: workspaceParams,
  payload: ChangeBody,
  success: WorkspaceAnswer,
  error: changeErrors
}).annotateMerge(
  describe(
    "Change the name, status, limits, keywords or retention rule of a workspace",
    "Omitted fields stay unchanged. The keys of a disabled workspace are refused; its jobs keep",
    "running."
  )
)

const remove = HttpApiEndpoint.delete("remove", "/v1/workspaces/:id", {
  params: workspaceParams,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 404, 409, 429)
}).annotateMerge(
  describe(
    "Delete a workspace",
    "The keys are refused immediately, and the data is removed step by step. The ledger is kept.",
    "The external id is free again."
  )
)

const credit = HttpApiEndpoint.post("credit", "/v1/workspaces/:id/credits", {
  params: workspaceParams,
  payload: CreditBody,
  success: BalanceAnswer,
  error: pickErrors(WorkspaceErrors, 400, 404, 429)
}).annotateMerge(describe("Give minutes to a workspace", "A negative number deducts minutes."))

export const WorkspaceApi = HttpApiGroup.make("workspaces")
  .add(create, ensure, list, get, revise, remove, credit)
  .middleware(ParameterRules)
  .middleware(OperatorAuthentication)
  // All invalid query parameters are reported, not only the first one.
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Workspaces",
      description: "Tenants, managed by operators. Needs an operator key."
    })
  )
