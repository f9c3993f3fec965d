/**
 * Answers the operations on labels: one service call each. A workspace whose deletion has begun has
 * no protected labels any more.
 */
import {
  LabelNotFound,
  type NamedByLabel,
  type OperatorOf,
  type ShownLabel
} from "@verbatim/core/preset"
import { Presets, WorkspaceNotFound, Workspaces } from "@verbatim/core/services"
import { Effect, type Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import {
  Caller,
  type OperatorAuthentication,
  type PresetAuthentication
} from "../../contract/Authentication.ts"
import {
  type LabelAnswer,
  type MovedLabelAnswer,
  toLabelView,
  toMoveView,
  toProtectionList,
  toTargetView
} from "../../contract/preset/LabelApi.ts"
import { makeEntityTag } from "../../contract/preset/PresetHeaders.ts"
import { type PresetParameterRules, toPage } from "../../contract/preset/PresetParameters.ts"
import { readWorkspaceId } from "../workspace/WorkspaceReads.ts"
import { protectionRefusals as operatorRefusals } from "../workspace/WorkspaceRefusals.ts"
import {
  labelMoveRefusals,
  labelRefusals,
  labelRemovalRefusals,
  protectionRefusals,
  readRefusals,
  unprotectionRefusals
} from "./PresetRefusals.ts"
import { readLabelMove, readRemoval } from "./PresetWrites.ts"

type Body = typeof LabelAnswer.Type | typeof MovedLabelAnswer.Type

/** Answers with a label and its tag, so that a move can be made conditional on it. */
const answer = (data: Body["data"]) => {
  const etag = makeEntityTag(data.version_id)
  return HttpServerResponse.jsonUnsafe({ data }, { headers: { etag } })
}

interface InPath {
  readonly slug: string
  readonly label: string
}

/** Calls the service about a label of a preset of the caller. */
const callWith = <A, E, R>(params: InPath, call: (named: NamedByLabel) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Caller, (principal) => call({ principal, ...params }))

const findLabel = ({ label, slug }: InPath, labels: ReadonlyArray<ShownLabel>) => {
  const found = labels.find(({ name }) => name === label)
  return found === undefined
    ? Effect.fail(new LabelNotFound({ slug, label }))
    : Effect.succeed(found)
}

/** The operations over the service `Presets`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "labels">,
  never,
  PresetAuthentication | PresetParameterRules | Presets
> = HttpApiBuilder.group(
  Api,
  "labels",
  Effect.fnUntraced(function* (handlers) {
    const presets = yield* Presets
    return handlers
      .handle("list", ({ params: { slug } }) =>
        Effect.flatMap(Caller, (principal) => presets.labels({ principal, slug })).pipe(
          Effect.map((labels) => ({ data: labels.map(toLabelView) })),
          Effect.catchTags(readRefusals)
        )
      )
      .handle("get", ({ params }) =>
        callWith(params, presets.labels).pipe(
          Effect.flatMap((labels) => findLabel(params, labels)),
          Effect.map((label) => answer(toLabelView(label))),
          Effect.catchTags(labelRefusals)
        )
      )
      .handleRaw("move", ({ params, request }) =>
        callWith(params, (named) =>
          presets.moveLabel({ ...named, ...readLabelMove(request) })
        ).pipe(
          Effect.map(({ label }) => answer(toTargetView(label))),
          Effect.catchTags(labelMoveRefusals)
        )
      )
      .handle("remove", ({ params, request }) =>
        Effect.flatMap(readRemoval(request), (removal) =>
          callWith(params, (named) => presets.removeLabel({ ...named, ...removal }))
        ).pipe(Effect.asVoid, Effect.catchTags(labelRemovalRefusals))
      )
      .handle("moves", ({ params, query }) =>
        callWith(params, (named) => presets.labelHistory(named, toPage(query))).pipe(
          Effect.map(({ moves, total }) => ({ data: moves.map(toMoveView), total_count: total })),
          Effect.catchTags(readRefusals)
        )
      )
      .handle("listProtected", () =>
        Effect.flatMap(Caller, presets.protectedLabels).pipe(
          Effect.map(toProtectionList),
          Effect.orDie
        )
      )
      .handle("protect", ({ params: { label } }) =>
        Effect.flatMap(Caller, (by) => presets.protectLabel({ by, label })).pipe(
          Effect.catchTags(protectionRefusals)
        )
      )
      .handle("unprotect", ({ params: { label } }) =>
        Effect.flatMap(Caller, (by) => presets.unprotectLabel({ by, label })).pipe(
          Effect.catchTags(unprotectionRefusals)
        )
      )
  })
)

/** The operations over the services. */
export const operatorLayer: Layer.Layer<
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
          Effect.catchTags(operatorRefusals.list)
        )
      )
      .handle("protect", ({ params: { id, label } }) =>
        Effect.flatMap(operatorOf(id), (by) => presets.protectLabel({ by, label })).pipe(
          Effect.catchTags(operatorRefusals.protect)
        )
      )
      .handle("unprotect", ({ params: { id, label } }) =>
        Effect.flatMap(operatorOf(id), (by) => presets.unprotectLabel({ by, label })).pipe(
          Effect.catchTags(operatorRefusals.unprotect)
        )
      )
  })
)
