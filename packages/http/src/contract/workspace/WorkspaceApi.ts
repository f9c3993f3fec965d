/**
 * The operations on workspaces as values. They take an operator key.
 */
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

/** An id in a path. One that is no UUID is that of nothing. */
const makeId = (description: string) =>
  Schema.String.annotate({ "x-schema": { type: "string", format: "uuid", description } })

const keyId = makeId("The id of the key.")

/** A workspace. */
export const workspaceParams = { id: makeId("The id of the workspace.") }

/** A key of a workspace. */
export const workspaceKeyParams = { ...workspaceParams, key_id: keyId }

/** A key of one's own workspace. */
export const keyParams = { key_id: keyId }

/** A workspace by the host's own name for it. */
const externalParams = {
  external_id: Schema.String.annotate({
    "x-schema": {
      type: "string",
      minLength: 1,
      maxLength: 255,
      description: "The host's own name for the workspace."
    }
  })
}

/** The same as a document to judge. */
export const ExternalName = Schema.Struct({ external_id: ExternalId })

/** A page of workspaces. */
const pageQuery = {
  cursor: Schema.optionalKey(
    Schema.String.annotate({
      // It is not a string only when it is sent twice.
      message: "must be sent once",
      description: "The `next_cursor` of the page before."
    })
      .check(Schema.isUUID(undefined, { message: "must be the next_cursor of a page" }))
      .pipe(Schema.decodeTo(WorkspaceId))
  ),
  limit: pageLimit
}

/** Ten million minutes are nineteen years: more is a typo. */
const minutesMax = 1e7

/** A workspace to make. Null says the same as leaving out, as answers show it. */
export const WorkspaceOrder = Schema.Struct({
  name: WorkspaceName.annotate({ description: "What people call it." }),
  external_id: Schema.optionalKey(
    Schema.NullOr(ExternalId).annotate({
      description: "The host's own name for it, which no other workspace has."
    })
  ),
  limits: Schema.optionalKey(
    Schema.NullOr(PartialLimits).annotate({
      description: "What it may ask for at most; no limit where it is left out."
    })
  )
}).annotate({ identifier: "WorkspaceOrder", examples: [requests.workspace] })

/** What to change about a workspace. */
export const ChangeBody = Schema.Struct({
  name: Schema.optionalKey(WorkspaceName),
  status: Schema.optionalKey(SettableStatus),
  limits: Schema.optionalKey(
    PartialLimits.annotate({
      description: "The limits to change; null takes one away, and one that is left out stays."
    })
  ),
  retention: Schema.optionalKey(RetentionBody),
  keywords: Schema.optionalKey(
    Schema.NullOr(Keywords).annotate({
      description: "The keywords from now on, all of them; null or an empty list for none."
    })
  )
}).annotate({
  identifier: "WorkspaceChange",
  examples: [requests.change]
})

/** Minutes to add. */
export const CreditBody = Schema.Struct({
  minutes: Schema.Finite.check(
    Rule.numberAtLeast(-minutesMax),
    Rule.numberAtMost(minutesMax)
  ).annotate({ description: "Minutes to add; a negative number takes some away." }),
  credit_id: Schema.optionalKey(
    Schema.NullOr(
      Schema.String.check(Schema.isUUID(undefined, { message: "must be a UUID" }))
    ).annotate({
      description:
        "A UUID of the caller's own: the same one counts once, so a caller without an answer may " +
        "ask again. Without it each request is a credit of its own."
    })
  )
}).annotate({ identifier: "Credit", examples: [requests.credit] })

const create = HttpApiEndpoint.post("create", "/v1/workspaces", {
  payload: WorkspaceOrder,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 400, 409, 429)
}).annotateMerge(
  describe("Create a workspace", "It has no key and no minutes, and webhooks without a secret.")
)

const ensure = HttpApiEndpoint.put("ensure", "/v1/workspaces/by-external-id/:external_id", {
  params: externalParams,
  success: WorkspaceAnswer,
  error: pickErrors(WorkspaceErrors, 400, 429)
}).annotateMerge(
  describe(
    "Find the workspace with an external id, or create it",
    "It is made once, however many ask at the same time, and is then named after the external id."
  )
)

const list = HttpApiEndpoint.get("list", "/v1/workspaces", {
  query: pageQuery,
  success: AccountPage,
  error: pickErrors(WorkspaceErrors, 400, 429)
}).annotateMerge(
  describe("List workspaces", "In the order of their creation, with what they have left.")
)

const get = HttpApiEndpoint.get("get", "/v1/workspaces/:id", {
  params: workspaceParams,
  success: AccountAnswer,
  error: pickErrors(WorkspaceErrors, 404, 429)
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
  error: pickErrors(WorkspaceErrors, 404, 409, 429)
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
  error: pickErrors(WorkspaceErrors, 400, 404, 429)
}).annotateMerge(describe("Give minutes to a workspace", "Or take some away."))

/** Workspaces, as operators manage them. */
export const WorkspaceApi = HttpApiGroup.make("workspaces")
  .add(create, ensure, list, get, revise, remove, credit)
  .middleware(ParameterRules)
  .middleware(OperatorAuthentication)
  // Both wrong parameters of a query are named, not the first alone.
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Workspaces",
      description: "Tenants, as an operator manages them. Takes an operator key."
    })
  )
