/**
 * Handles the key operations, with one service call each, and maps refusals to the wire. Operators
 * and management keys use the same operations, which differ only in how the workspace is
 * determined.
 */
import {
  ApiKeys,
  type IssuedKey,
  KeyNotReplaceable,
  type WorkspaceNotFound
} from "@verbatim/core/services"
import type { ApiKey, Issuer, WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Layer, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import { toKeyView } from "../../contract/workspace/WorkspaceAnswers.ts"
import { answerRefusals } from "../Refusals.ts"
import { readKeyId, readKeyOrder, readOverlap, readWorkspaceId } from "./WorkspaceReads.ts"

type Request = HttpServerRequest.HttpServerRequest

const toPage = (keys: ReadonlyArray<ApiKey>) => ({ data: keys.map(toKeyView), next_cursor: null })

const toAnswer = ({ key, token }: IssuedKey) => ({
  data: { ...toKeyView(key), token: Redacted.value(token) }
})

/**
 * Builds the operations that both groups share, for the keys of a workspace. Without a giver, an
 * operator issues the keys. A body is validated before the workspace or key is looked up.
 */
const makeOperations = Effect.map(
  ApiKeys,
  (keys) =>
    <R>(owner: Effect.Effect<WorkspaceId, WorkspaceNotFound, R>, giver?: Issuer) => ({
      list: Effect.flatMap(owner, keys.keys).pipe(Effect.map(toPage), answerRefusals),
      issue: (request: Request) =>
        Effect.flatMap(readKeyOrder(request), (order) =>
          Effect.flatMap(owner, (id) => keys.issue(id, { ...order, giver }))
        ).pipe(Effect.map(toAnswer), answerRefusals),
      rotate: (given: string, request: Request) =>
        Effect.flatMap(readOverlap(request), (overlap) =>
          Effect.flatMap(Effect.all([owner, readKeyId(given)]), ([id, keyId]) =>
            keys.rotate(id, { keyId, overlap, giver })
          )
        ).pipe(Effect.map(toAnswer), answerRefusals),
      revoke: (given: string) =>
        Effect.flatMap(Effect.all([owner, readKeyId(given)]), ([id, keyId]) =>
          keys.revoke(keyId, id)
        ).pipe(
          Effect.flatMap((isRevoked) => (isRevoked ? Effect.void : new KeyNotReplaceable())),
          answerRefusals
        )
    })
)

/** Handlers for keys in any workspace. */
const ofWorkspaces = HttpApiBuilder.group(Api, "workspaceKeys", (handlers) =>
  Effect.map(makeOperations, (operationsOf) => {
    const operationsIn = (id: string) => operationsOf(readWorkspaceId(id))
    return handlers
      .handle("list", ({ params }) => operationsIn(params.id).list)
      .handleRaw("issue", ({ params, request }) => operationsIn(params.id).issue(request))
      .handleRaw("rotate", ({ params, request }) =>
        operationsIn(params.id).rotate(params.key_id, request)
      )
      .handle("revoke", ({ params }) => operationsIn(params.id).revoke(params.key_id))
  })
)

const ownWorkspace = Effect.map(Caller, ({ workspaceId }) => workspaceId)

/** Handlers for keys in the caller's own workspace. */
const ofCaller = HttpApiBuilder.group(Api, "keys", (handlers) =>
  Effect.map(makeOperations, (operationsOf) => {
    const { issue, list, revoke, rotate } = operationsOf(ownWorkspace, "key")
    return handlers
      .handle("list", () => list)
      .handleRaw("issue", ({ request }) => issue(request))
      .handleRaw("rotate", ({ params, request }) => rotate(params.key_id, request))
      .handle("revoke", ({ params }) => revoke(params.key_id))
  })
)

export const layer = Layer.merge(ofWorkspaces, ofCaller)
