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

interface About<R> {
  readonly owner: Effect.Effect<WorkspaceId, WorkspaceNotFound, R>
  /** The sender who issues the key. If omitted, an operator issues it. */
  readonly giver?: Issuer
  readonly keyId: string
  readonly request: HttpServerRequest.HttpServerRequest
}

const toPage = (keys: ReadonlyArray<ApiKey>) => ({ data: keys.map(toKeyView), next_cursor: null })

const toAnswer = ({ key, token }: IssuedKey) => ({
  data: { ...toKeyView(key), token: Redacted.value(token) }
})

/**
 * Builds the operations that both groups share. A body is validated before the workspace or key is
 * looked up.
 */
const makeOperations = Effect.map(ApiKeys, (keys) => ({
  list: <R>({ owner }: Pick<About<R>, "owner">) =>
    Effect.flatMap(owner, keys.keys).pipe(Effect.map(toPage), answerRefusals),
  issue: <R>({ giver, owner, request }: Omit<About<R>, "keyId">) =>
    Effect.flatMap(readKeyOrder(request), (order) =>
      Effect.flatMap(owner, (id) => keys.issue(id, { ...order, giver }))
    ).pipe(Effect.map(toAnswer), answerRefusals),
  rotate: <R>({ giver, keyId, owner, request }: About<R>) =>
    Effect.flatMap(readOverlap(request), (overlap) =>
      Effect.flatMap(Effect.all([owner, readKeyId(keyId)]), ([id, keyId]) =>
        keys.rotate(id, { keyId, overlap, giver })
      )
    ).pipe(Effect.map(toAnswer), answerRefusals),
  revoke: <R>({ keyId, owner }: Pick<About<R>, "keyId" | "owner">) =>
    Effect.flatMap(Effect.all([owner, readKeyId(keyId)]), ([id, keyId]) =>
      keys.revoke(keyId, id)
    ).pipe(
      Effect.flatMap((isRevoked) => (isRevoked ? Effect.void : new KeyNotReplaceable())),
      answerRefusals
    )
}))

/** Handlers for keys in any workspace. */
const ofWorkspaces = HttpApiBuilder.group(Api, "workspaceKeys", (handlers) =>
  Effect.map(makeOperations, (operations) =>
    handlers
      .handle("list", ({ params: { id } }) => operations.list({ owner: readWorkspaceId(id) }))
      .handleRaw("issue", ({ params: { id }, request }) =>
        operations.issue({ owner: readWorkspaceId(id), request })
      )
      .handleRaw("rotate", ({ params: { id, key_id: keyId }, request }) =>
        operations.rotate({ owner: readWorkspaceId(id), keyId, request })
      )
      .handle("revoke", ({ params: { id, key_id: keyId } }) =>
        operations.revoke({ owner: readWorkspaceId(id), keyId })
      )
  )
)

const owner = Effect.map(Caller, ({ workspaceId }) => workspaceId)

/** Handlers for keys in the caller's own workspace. */
const ofCaller = HttpApiBuilder.group(Api, "keys", (handlers) =>
  Effect.map(makeOperations, (operations) =>
    handlers
      .handle("list", () => operations.list({ owner }))
      .handleRaw("issue", ({ request }) => operations.issue({ owner, giver: "key", request }))
      .handleRaw("rotate", ({ params: { key_id: keyId }, request }) =>
        operations.rotate({ owner, giver: "key", keyId, request })
      )
      .handle("revoke", ({ params: { key_id: keyId } }) => operations.revoke({ owner, keyId }))
  )
)

export const layer = Layer.merge(ofWorkspaces, ofCaller)
