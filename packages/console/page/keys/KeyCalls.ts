/** The calls on keys: those of one's own workspace, or, for an operator, those of any. */
import type { components } from "@verbatim/client"
import { api, operatorApi, unwrap } from "../Api.ts"

type Schemas = components["schemas"]

/** A key, without its secret. */
export type Key = Schemas["Key"]

/** What a key is called: by whoever made it, else by its first letters. */
export const nameOfKey = ({ hint, name }: Pick<Key, "hint" | "name">): string =>
  name ?? `Key ${hint}`

/** A key that was just made, with what is told once. */
export type IssuedKey = Schemas["IssuedKey"]

/** What is asked for where a key is made. */
export type KeyOrder = Schemas["KeyOrder"]

/** What can be done with the keys of a workspace. */
export interface KeyCalls {
  readonly list: (signal: AbortSignal) => Promise<ReadonlyArray<Key>>
  readonly issue: (order: KeyOrder) => Promise<IssuedKey>
  readonly rotate: (id: string, overlapSeconds: number) => Promise<IssuedKey>
  readonly revoke: (id: string) => Promise<unknown>
}

/** The keys of the workspace of one's own key. */
export const ownKeys: KeyCalls = {
  list: async (signal) => (await unwrap(api.GET("/keys", { signal }))).data,
  issue: async (body) => (await unwrap(api.POST("/keys", { body }))).data,
  rotate: async (id, overlap_seconds) =>
    (
      await unwrap(
        api.POST("/keys/{key_id}/rotate", {
          params: { path: { key_id: id } },
          body: { overlap_seconds }
        })
      )
    ).data,
  revoke: (id) => unwrap(api.DELETE("/keys/{key_id}", { params: { path: { key_id: id } } }))
}

/** The keys of a workspace, for an operator. */
export const keysOf = (workspace: string): KeyCalls => {
  const path = { id: workspace }
  return {
    list: async (signal) =>
      (await unwrap(operatorApi.GET("/workspaces/{id}/keys", { params: { path }, signal }))).data,
    issue: async (body) =>
      (await unwrap(operatorApi.POST("/workspaces/{id}/keys", { params: { path }, body }))).data,
    rotate: async (id, overlap_seconds) =>
      (
        await unwrap(
          operatorApi.POST("/workspaces/{id}/keys/{key_id}/rotate", {
            params: { path: { ...path, key_id: id } },
            body: { overlap_seconds }
          })
        )
      ).data,
    revoke: (id) =>
      unwrap(
        operatorApi.DELETE("/workspaces/{id}/keys/{key_id}", {
          params: { path: { ...path, key_id: id } }
        })
      )
  }
}
