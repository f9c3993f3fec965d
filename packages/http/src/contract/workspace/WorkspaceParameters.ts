/**
 * Parameters of the operations on workspaces and keys in path and query.
 */
import { describe, fromIssue } from "@verbatim/core/schema"
import { ExternalId, WorkspaceId } from "@verbatim/core/workspace"
import { Effect, type Layer, Schema } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Sender } from "../Authentication.ts"
import { refuse } from "../preset/PresetRefusal.ts"
import { pageLimit } from "../QueryParameters.ts"
import { WorkspaceErrors } from "./WorkspaceErrors.ts"

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
export const externalParams = {
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
export const pageQuery = {
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

/** Refuses parameters that break their rules, in the form of the errors on workspaces. */
export class WorkspaceParameterRules extends HttpApiMiddleware.Service<
  WorkspaceParameterRules,
  { requires: Sender }
>()("@verbatim/http/workspace/WorkspaceParameters/WorkspaceParameterRules", {
  error: WorkspaceErrors[400]
}) {
  static readonly layer: Layer.Layer<WorkspaceParameterRules> =
    HttpApiMiddleware.layerSchemaErrorTransform(WorkspaceParameterRules, (error) =>
      error.kind === "Query"
        ? refuse(400, describe(fromIssue(error.cause.issue)))
        : Effect.fail(error)
    )
}
