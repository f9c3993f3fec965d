/**
 * Answers the operations of operators on protected labels. A workspace whose deletion has begun has
 * none any more.
 */
import type { OperatorOf } from "@verbatim/core/preset"
import { Presets, WorkspaceNotFound, Workspaces } from "@verbatim/core/services"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import type { OperatorAuthentication } from "../../contract/Authentication.ts"
import { toProtectionList } from "../../contract/preset/labels/LabelAnswers.ts"
import { readWorkspaceId } from "./WorkspaceReads.ts"
import { protectionRefusals } from "./WorkspaceRefusals.ts"

/** The operations over the services. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "workspaceLabels">,
  never,
  OperatorAuthentication | Presets | Workspaces
> = HttpApiBuilder.group(
  Api,
  "workspaceLabels",
  Effect.fnUntraced(function* (handlers) {
    const presets = yield* Presets
    const workspaces = yield* Workspaces

    /** The operator as one at work on that workspace. */
    const operatorOf = Effect.fnUntraced(function* (id: string) {
      const { workspace } = yield* Effect.flatMap(readWorkspaceId(id), workspaces.account)
      if (workspace._tag !== "Active" && workspace._tag !== "Disabled") {
        return yield* new WorkspaceNotFound({ id })
      }
      const operator: OperatorOf = { kind: "operator", workspaceId: workspace.id }
      return operator
    })

    return handlers
      .handle("list", ({ params: { id } }) =>
        Effect.flatMap(operatorOf(id), presets.protectedLabels).pipe(
          Effect.map(toProtectionList),
          Effect.catchTags(protectionRefusals.list)
        )
      )
      .handle("protect", ({ params: { id, label } }) =>
        Effect.flatMap(operatorOf(id), (by) => presets.protectLabel({ by, label })).pipe(
          Effect.catchTags(protectionRefusals.protect)
        )
      )
      .handle("unprotect", ({ params: { id, label } }) =>
        Effect.flatMap(operatorOf(id), (by) => presets.unprotectLabel({ by, label })).pipe(
          Effect.catchTags(protectionRefusals.unprotect)
        )
      )
  })
)
