/** Calls the API for keys, and shows the users behind ids by their names or their keys' names. */
import type { components } from "@verbatim/client"
import { api, operatorApi } from "../Api.ts"
import { shortId } from "../ui/Words.ts"

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

const namedMax = 2

/** Only management keys can change presets. Undefined if none belongs to the user. */
const nameOfUser = (keys: ReadonlyArray<Key>, id: string): string | undefined => {
  const own = keys.filter((key) => key.user_id === id && key.kind === "management")
  const user = own[0]?.user ?? undefined
  const [first, ...others] = new Set(user === undefined ? own.map(nameOfKey) : [user])
  return others.length < namedMax && first !== undefined
    ? [first, ...others].join(" or ")
    : first && `${first} and ${others.length} more`
}

export const Person = ({ id, keys }: Readonly<{ id: string; keys: ReadonlyArray<Key> }>) => {
  const name = nameOfUser(keys, id)
  return name === undefined ? (
    <code title={id}>{shortId(id)}</code>
  ) : (
    <span title={id} dir="auto">
      {name}
    </span>
  )
}
