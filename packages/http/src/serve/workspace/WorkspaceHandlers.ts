/**
 * Answers the operations on workspaces: one service call each, and what its refusals are on the
 * wire. Those with a body are raw, because bodies are read by rules of our own.
 */
import type { Account } from "@verbatim/core/ports"
import { type RowPage, readPage, Workspaces } from "@verbatim/core/services"
import type { Workspace } from "@verbatim/core/workspace"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import type { OperatorAuthentication } from "../../contract/Authentication.ts"
import { pageDefault } from "../../contract/QueryParameters.ts"
import type { WorkspaceParameterRules } from "../../contract/workspace/WorkspaceParameters.ts"
import {
  toAccountView,
  toBalanceView,
  toWorkspaceView
} from "../../contract/workspace/WorkspaceViews.ts"
import {
  readChange,
  readCredit,
  readExternalId,
  readWorkspaceId,
  readWorkspaceOrder
} from "./WorkspaceReads.ts"
import {
  changeRefusals,
  creationRefusals,
  creditRefusals,
  ensureRefusals,
  readRefusals,
  removalRefusals
} from "./WorkspaceRefusals.ts"

const toAnswer = (workspace: Workspace) => ({ data: toWorkspaceView(workspace) })

const toPageView = ({ last, rows }: RowPage<Account>) => ({
  data: rows.map(toAccountView),
  next_cursor: last?.workspace.id ?? null
})

/** The operations over the service `Workspaces`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "workspaces">,
  never,
  OperatorAuthentication | WorkspaceParameterRules | Workspaces
> = HttpApiBuilder.group(
  Api,
  "workspaces",
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* Workspaces
    return handlers
      .handleRaw("create", ({ request }) =>
        Effect.flatMap(readWorkspaceOrder(request), workspaces.create).pipe(
          Effect.map(toAnswer),
          Effect.catchTags(creationRefusals)
        )
      )
      .handle("ensure", ({ params, request }) =>
        Effect.flatMap(readExternalId(params.external_id, request), workspaces.ensure).pipe(
          Effect.map(toAnswer),
          Effect.catchTags(ensureRefusals)
        )
      )
      .handle("list", ({ query: { cursor = null, limit = pageDefault } }) =>
        readPage(limit, (accountMax) =>
          workspaces.accounts({ after: cursor, limit: accountMax })
        ).pipe(Effect.map(toPageView), Effect.orDie)
      )
      .handle("get", ({ params }) =>
        Effect.flatMap(readWorkspaceId(params.id), workspaces.account).pipe(
          Effect.map((account) => ({ data: toAccountView(account) })),
          Effect.catchTags(readRefusals)
        )
      )
      .handleRaw("revise", ({ params, request }) =>
        Effect.flatMap(readChange(request), (change) =>
          Effect.flatMap(readWorkspaceId(params.id), (id) => workspaces.change(id, change))
        ).pipe(Effect.map(toAnswer), Effect.catchTags(changeRefusals))
      )
      .handle("remove", ({ params }) =>
        Effect.flatMap(readWorkspaceId(params.id), workspaces.remove).pipe(
          Effect.map(toAnswer),
          Effect.catchTags(removalRefusals)
        )
      )
      .handleRaw("credit", ({ params, request }) =>
        Effect.flatMap(readCredit(request), (gift) =>
          Effect.flatMap(readWorkspaceId(params.id), (id) => workspaces.credit(id, gift))
        ).pipe(
          Effect.map((balance) => ({ data: toBalanceView(balance) })),
          Effect.catchTags(creditRefusals)
        )
      )
  })
)
