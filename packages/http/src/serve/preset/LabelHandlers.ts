/**
 * Handles the label operations, with one service call each. A workspace whose deletion has begun
 * has no protected labels.
 */
import {
  type LabelAddress,
  LabelNotFound,
  type OperatorOf,
  type ProtectionCaller,
  type ShownLabel
} from "@verbatim/core/preset"
import { Presets, WorkspaceNotFound, Workspaces } from "@verbatim/core/services"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import {
  type LabelAnswer,
  type MovedLabelAnswer,
  toLabelView,
  toMoveView,
  toProtectionList,
  toTargetView
} from "../../contract/preset/LabelApi.ts"
import { makeEntityTag } from "../../contract/preset/PresetHeaders.ts"
import { toPage } from "../../contract/preset/PresetParameters.ts"
import { answerRefusals, answerWriteRefusals } from "../Refusals.ts"
import { readWorkspaceId } from "../workspace/WorkspaceReads.ts"
import { readLabelMove, readRemoval } from "./PresetWrites.ts"

type Body = typeof LabelAnswer.Type | typeof MovedLabelAnswer.Type

/** Responds with a label and its entity tag, so that a move can be conditional on the tag. */
const answer = (data: Body["data"]) => {
  const etag = makeEntityTag(data.version_id)
  return HttpServerResponse.jsonUnsafe({ data }, { headers: { etag } })
}

interface InPath {
  readonly slug: string
  readonly label: string
}

/** Calls the service for a label on one of the caller's presets. */
const callWith = <A, E, R>(params: InPath, call: (named: LabelAddress) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Caller, (principal) => call({ principal, ...params }))

/**
 * Builds the operations on the protected labels of a workspace. Callers and operators share them.
 */
const makeProtections = Effect.map(Presets, (presets) => ({
  list: <E extends object, R>(actor: Effect.Effect<ProtectionCaller, E, R>) =>
    Effect.flatMap(actor, presets.protectedLabels).pipe(
      Effect.map(toProtectionList),
      answerRefusals
    ),
  protect: <E extends object, R>(actor: Effect.Effect<ProtectionCaller, E, R>, label: string) =>
    Effect.flatMap(actor, (by) => presets.protectLabel({ by, label })).pipe(answerWriteRefusals),
  unprotect: <E extends object, R>(actor: Effect.Effect<ProtectionCaller, E, R>, label: string) =>
    Effect.flatMap(actor, (by) => presets.unprotectLabel({ by, label })).pipe(answerWriteRefusals)
}))

const findLabel = ({ label, slug }: InPath, labels: ReadonlyArray<ShownLabel>) => {
  const found = labels.find(({ name }) => name === label)
  return found === undefined
    ? Effect.fail(new LabelNotFound({ slug, label }))
    : Effect.succeed(found)
}

export const layer = HttpApiBuilder.group(
  Api,
  "labels",
  Effect.fnUntraced(function* (handlers) {
    const presets = yield* Presets
    const protections = yield* makeProtections
    return handlers
      .handle("list", ({ params: { slug } }) =>
        Effect.flatMap(Caller, (principal) => presets.labels({ principal, slug })).pipe(
          Effect.map((labels) => ({ data: labels.map(toLabelView) })),
          answerRefusals
        )
      )
      .handle("get", ({ params }) =>
        callWith(params, presets.labels).pipe(
          Effect.flatMap((labels) => findLabel(params, labels)),
          Effect.map((label) => answer(toLabelView(label))),
          answerRefusals
        )
      )
      .handleRaw("move", ({ params, request }) =>
        callWith(params, (named) =>
          presets.moveLabel({ ...named, ...readLabelMove(request) })
        ).pipe(
          Effect.map(({ label }) => answer(toTargetView(label))),
          answerWriteRefusals
        )
      )
      .handle("remove", ({ params, request }) =>
        Effect.flatMap(readRemoval(request), (removal) =>
          callWith(params, (named) => presets.removeLabel({ ...named, ...removal }))
        ).pipe(Effect.asVoid, answerWriteRefusals)
      )
      .handle("moves", ({ params, query }) =>
        callWith(params, (named) => presets.labelHistory(named, toPage(query))).pipe(
          Effect.map(({ moves, total }) => ({ data: moves.map(toMoveView), total_count: total })),
          answerRefusals
        )
      )
      .handle("listProtected", () => protections.list(Caller))
      .handle("protect", ({ params: { label } }) => protections.protect(Caller, label))
      .handle("unprotect", ({ params: { label } }) => protections.unprotect(Caller, label))
  })
)

export const operatorLayer = HttpApiBuilder.group(
  Api,
  "workspaceLabels",
  Effect.fnUntraced(function* (handlers) {
    const protections = yield* makeProtections
    const workspaces = yield* Workspaces

    /** Creates the actor for an operator who changes labels in this workspace. */
    const makeOperator = Effect.fnUntraced(function* (id: string) {
      const { workspace } = yield* Effect.flatMap(readWorkspaceId(id), workspaces.account)
      if (workspace._tag !== "Active" && workspace._tag !== "Disabled") {
        return yield* new WorkspaceNotFound({ id })
      }
      const operator: OperatorOf = { kind: "operator", workspaceId: workspace.id }
      return operator
    })

    return handlers
      .handle("list", ({ params: { id } }) => protections.list(makeOperator(id)))
      .handle("protect", ({ params: { id, label } }) =>
        protections.protect(makeOperator(id), label)
      )
      .handle("unprotect", ({ params: { id, label } }) =>
        protections.unprotect(makeOperator(id), label)
      )
  })
)
