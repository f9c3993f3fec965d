/** Defines the workspace operations. All of them need an operator key. */
import { optional, Rule } from "@verbatim/core/schema"
import {
  ExternalId,
  Keywords,
  SettableStatus,
  WorkspaceId,
  WorkspaceName
} from "@verbatim/core/workspace"
import { Schema, Struct } from "effect"
import { OperatorAuthentication } from "../Authentication.ts"
import { changeErrors, pickErrors, WorkspaceErrors } from "../Errors.ts"
import { describe, makeGroup } from "../Operation.ts"
import { makePathParameter, optionalOrNull, ParameterRules, pageLimit } from "../Parameters.ts"
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
const makeId = (description: string) => makePathParameter({ format: "uuid", description })

const keyId = makeId("The id of the key.")

export const workspaceParams = { id: makeId("The id of the workspace.") }

export const workspaceKeyParams = { ...workspaceParams, key_id: keyId }

/** Path parameters of operations on keys in the caller's own workspace. */
export const keyParams = { key_id: keyId }

/** Path parameters of operations that name a workspace by its external id. */
const externalParams = {
  external_id: makePathParameter({
    minLength: 1,
    maxLength: 255,
    description: "The host's own id for the workspace."
  })
}

/** Validates the external id in a path. */
export const ExternalName = Schema.Struct({ external_id: ExternalId })

const pageQuery = Struct.map(
  {
    cursor: Schema.String.annotate({
      // A parameter that was sent twice arrives as an array.
      message: "must be sent once",
      description: "The `next_cursor` of the previous page."
    })
      .check(Schema.isUUID(undefined, { message: "must be the next_cursor of a page" }))
      .pipe(Schema.decodeTo(WorkspaceId)),
    limit: pageLimit
  },
  Schema.optionalKey
)

/** Ten million minutes are nineteen years, so any larger number is a typo. */
const minutesMax = 1e7

/**
 * The body that creates a workspace. Null counts as omitted, so clients can send a response back.
 */
export const WorkspaceOrder = Schema.Struct({
  name: WorkspaceName.annotate({ description: "A readable name." }),
  external_id: optionalOrNull(
    ExternalId,
    "The host's own id for the workspace, unique among workspaces."
  ),
  limits: optionalOrNull(
    PartialLimits,
    "The limits of the workspace; an omitted field means no limit."
  )
}).annotate({ identifier: "WorkspaceOrder", examples: [requests.workspace] })

export const ChangeBody = Schema.Struct({
  name: Schema.optionalKey(WorkspaceName),
  status: Schema.optionalKey(SettableStatus),
  limits: optional(
    PartialLimits,
    "The limits to change; null removes a limit, and omitted ones stay unchanged."
  ),
  retention: Schema.optionalKey(RetentionBody),
  keywords: optionalOrNull(
    Keywords,
    "The complete new list of keywords; null or an empty list for none."
  )
}).annotate({
  identifier: "WorkspaceChange",
  examples: [requests.change]
})

/** The body that credits minutes to a workspace. */
export const CreditBody = Schema.Struct({
  minutes: Schema.Finite.check(
    Rule.numberAtLeast(-minutesMax),
    Rule.numberAtMost(minutesMax)
  ).annotate({ description: "Minutes to add; a negative number deducts minutes." }),
  credit_id: optionalOrNull(
    Schema.String.check(Schema.isUUID(undefined, { message: "must be a UUID" })),
    "A UUID chosen by the caller: credits with the same id count once, so that a caller that " +
      "received no answer can repeat the request. Without it, each request is a separate " +
      "credit."
  )
}).annotate({ identifier: "Credit", examples: [requests.credit] })

const create = describe(
  "Create a workspace",
  "The new workspace has no keys, no minutes, and no webhook secret."
).post("create", "/v1/workspaces", {
  payload: WorkspaceOrder,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 400, 409, 429)
})

const ensure = describe(
  "Find the workspace with an external id, or create it",
  "Concurrent requests create only one workspace, which is named after its external id."
).put("ensure", "/v1/workspaces/by-external-id/:external_id", {
  params: externalParams,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 400, 429)
})

const list = describe(
  "List workspaces",
  "Lists all workspaces in the order of their creation, with their balances."
).get("list", "/v1/workspaces", {
  query: pageQuery,
  success: AccountPage,
  error: pickErrors(WorkspaceErrors, 400, 429)
})

const get = describe(
  "Read a workspace",
  "The answer includes the balance. A deleted workspace can still be read."
).get("get", "/v1/workspaces/:id", {
  params: workspaceParams,
  success: AccountAnswer,
  error: pickErrors(WorkspaceErrors, 404, 429)
})

const revise = describe(
  "Change the name, status, limits, keywords or retention rule of a workspace",
  "Omitted fields stay unchanged. The keys of a disabled workspace are refused; its jobs keep",
  "running."
).patch("revise", "/v1/workspaces/:id", {
  params: workspaceParams,
  payload: ChangeBody,
  success: WorkspaceAnswer,
  error: changeErrors
})

const remove = describe(
  "Delete a workspace",
  "The keys are refused immediately, and the data is removed step by step. The ledger is kept.",
  "The external id can be used again."
).delete("remove", "/v1/workspaces/:id", {
  params: workspaceParams,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 404, 409, 429)
})

const credit = describe("Give minutes to a workspace", "A negative number deducts minutes.").post(
  "credit",
  "/v1/workspaces/:id/credits",
  {
    params: workspaceParams,
    payload: CreditBody,
    success: BalanceAnswer,
    error: pickErrors(WorkspaceErrors, 400, 404, 429)
  }
)

export const WorkspaceApi = makeGroup("workspaces", {
  title: "Workspaces",
  description: "Tenants, managed by operators. Needs an operator key."
})
  .add(create, ensure, list, get, revise, remove, credit)
  .middleware(ParameterRules)
  .middleware(OperatorAuthentication)
