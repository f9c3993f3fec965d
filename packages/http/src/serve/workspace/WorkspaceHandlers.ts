/**
 * Answers the operations on workspaces and work: one service call each. Those with a body are raw,
 * because bodies are read by rules of our own.
 */
import type { Account, WorkerRegistry, WorkQueue } from "@verbatim/core/ports"
import { type RowPage, readPage, Workspaces } from "@verbatim/core/services"
import { QueueHistory, Surveys } from "@verbatim/core/worker"
import type { Workspace } from "@verbatim/core/workspace"
import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import type { OperatorAuthentication } from "../../contract/Authentication.ts"
import { pageDefault } from "../../contract/Parameters.ts"
import { toSampleView, toSurveyView } from "../../contract/WorkApi.ts"
import {
  toAccountView,
  toBalanceView,
  toWorkspaceView
} from "../../contract/workspace/WorkspaceAnswers.ts"
import type { WorkspaceParameterRules } from "../../contract/workspace/WorkspaceApi.ts"
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

/** The operations over what the workers say of themselves, and over what they leave undone. */
export const workLayer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "work">,
  never,
  OperatorAuthentication | WorkerRegistry | WorkQueue
> = HttpApiBuilder.group(
  Api,
  "work",
  Effect.fnUntraced(function* (handlers) {
    const { survey } = yield* Surveys
    const { samples } = yield* QueueHistory
    return handlers
      .handle("survey", () => Effect.orDie(Effect.map(survey, toSurveyView)))
      .handle("queueHistory", () => Effect.map(samples, (all) => ({ data: all.map(toSampleView) })))
  })
).pipe(Layer.provide([QueueHistory.layer, Surveys.layer]))
