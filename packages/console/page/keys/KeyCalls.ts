/** Calls the API for keys: the keys of the session's workspace, or of any workspace. */
import type { components } from "@verbatim/client"
import { api, operatorApi } from "../Api.ts"

type Schemas = components["schemas"]
export type Key = Schemas["Key"]
export const nameOfKey = ({ hint, name }: Pick<Key, "hint" | "name">) => name ?? `Key ${hint}`

export const limitWords = {
  requests_per_second: "Requests per second",
  unfinished_jobs: "Unfinished jobs",
  minutes_per_day: "Minutes per day"
} as const

export type IssuedKey = Schemas["IssuedKey"]
export type KeyOrder = Schemas["KeyOrder"]

export const keysOf = (workspace: string) => {
  const { issue, list, revoke, rotate } = operatorApi.workspaces.keys
  return {
    list: async (signal: AbortSignal) => (await list(workspace, { signal })).data,
    issue: (order: KeyOrder) => issue(workspace, order),
    rotate: (id: string, overlap_seconds: number) => rotate(workspace, id, { overlap_seconds }),
    revoke: (id: string) => revoke(workspace, id)
  }
}

export type KeyCalls = ReturnType<typeof keysOf>

export const ownKeys: KeyCalls = {
  list: async (signal) => (await api.keys.list({ signal })).data,
  issue: api.keys.issue,
  rotate: (id, overlap_seconds) => api.keys.rotate(id, { overlap_seconds }),
  revoke: api.keys.revoke
}
