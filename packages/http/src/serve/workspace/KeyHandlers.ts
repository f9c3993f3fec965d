/**
 * Answers the operations on keys: one service call each, and what its refusals are on the wire. The
 * same for operators and for management keys; only whose keys they are is told in another way.
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

/** Whose keys a request is about, which of them, and its body. */
interface About<R> {
  readonly owner: Effect.Effect<WorkspaceId, WorkspaceNotFound, R>
  /** Who asks; an operator where it is left out. */
  readonly giver?: Issuer
  readonly keyId: string
  readonly request: HttpServerRequest.HttpServerRequest
}

const toPage = (keys: ReadonlyArray<ApiKey>) => ({ data: keys.map(toKeyView), next_cursor: null })

const toAnswer = ({ key, token }: IssuedKey) => ({
  data: { ...toKeyView(key), token: Redacted.value(token) }
})

/** The operations over the service. A body is judged before it is looked up what it is about. */
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

/** The operations on the keys of any workspace. */
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

/** The operations on the keys of one's own workspace. */
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

/** Both, over the service `ApiKeys`. */
export const layer = Layer.merge(ofWorkspaces, ofCaller)
