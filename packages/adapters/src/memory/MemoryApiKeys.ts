/** Implements the workspace store's key methods, and `OperatorKeyStore`, in memory. */
import { OperatorKeyStore, type Rotation, type WorkspaceStore } from "@verbatim/core/ports"
import type { ApiKey, ApiKeyId, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Equal, Layer, Option, Order } from "effect"
import { MemoryDatabase, type Tables } from "./MemoryDatabase.ts"

type Methods = Pick<
  WorkspaceStore["Service"],
  "addKey" | "findKey" | "forgetKeys" | "keys" | "noteUse" | "revokeKey" | "rotateKey"
>

type Keys = Map<ApiKey["hash"], ApiKey>

const oldestFirst: Order.Order<Pick<ApiKey, "createdAt">> = Order.mapInput(
  DateTime.Order,
  ({ createdAt }) => createdAt
)

/** Changes the key that has the given id. Returns `false` if there is no such key. */
const changeKey = <Key extends Pick<ApiKey, "hash" | "id">>(
  keys: Map<Key["hash"], Key>,
  id: ApiKeyId,
  change: (key: Key) => Key
): boolean => {
  const key = [...keys.values()].find((each) => each.id === id)
  if (key === undefined) return false
  keys.set(key.hash, change(key))
  return true
}

/** Adds a key unless its hash already exists. */
const putKey = <Key extends Pick<ApiKey, "hash" | "id">>(
  keys: Map<Key["hash"], Key>,
  key: Key
): boolean => {
  const known = keys.get(key.hash)
  if (known !== undefined) return known.id === key.id
  keys.set(key.hash, key)
  return true
}

/** Lists keys, oldest first. */
const listKeys = <Key extends Pick<ApiKey, "createdAt">>(keys: Iterable<Key>): ReadonlyArray<Key> =>
  [...keys].sort(oldestFirst)

const latest = (one: DateTime.Utc | null, other: DateTime.Utc): DateTime.Utc =>
  one === null ? other : DateTime.max(one, other)

const rotate = (keys: Keys, { id, successor, until }: Rotation): boolean => {
  if (keys.get(successor.hash)?.id === successor.id) return true
  const old = [...keys.values()].find((key) => key.id === id)
  const isOwn = old !== undefined && old.workspaceId === successor.workspaceId
  if (!isOwn || old.revokedAt !== null || keys.has(successor.hash)) return false
  if (!Equal.equals(old.expiresAt, successor.expiresAt)) return false
  const expiresAt = old.expiresAt === null ? until : DateTime.min(old.expiresAt, until)
  keys.set(old.hash, { ...old, expiresAt })
  keys.set(successor.hash, successor)
  return true
}

const forget = (keys: Keys, id: WorkspaceId, before: DateTime.Utc): void => {
  for (const [hash, key] of keys) {
    const ended = key.revokedAt ?? key.expiresAt
    const isOld = ended !== null && DateTime.isLessThan(ended, before)
    if (key.workspaceId === id && isOld) keys.delete(hash)
  }
}

/** Creates the method that revokes a key. Revoking a key again changes nothing. */
const revokeIn =
  <Key extends Pick<ApiKey, "hash" | "id" | "revokedAt">>(keys: Map<Key["hash"], Key>) =>
  (id: ApiKeyId, at: DateTime.Utc) =>
    Effect.sync(() => changeKey(keys, id, (key) => ({ ...key, revokedAt: key.revokedAt ?? at })))

/** Creates the method that records a key's last use. */
const noteUseIn =
  <Key extends Pick<ApiKey, "hash" | "id" | "lastUsedAt">>(keys: Map<Key["hash"], Key>) =>
  (id: ApiKeyId, at: DateTime.Utc) =>
    Effect.sync(() => {
      changeKey(keys, id, (key) => ({ ...key, lastUsedAt: latest(key.lastUsedAt, at) }))
    })

/** The workspace store's methods for API keys. */
export const apiKeyMethods = ({ accounts, keys }: Tables): Methods => ({
  findKey: (hash) =>
    Effect.sync(() => {
      const key = keys.get(hash)
      const workspace = key && accounts.get(key.workspaceId)?.workspace
      const isFound = key !== undefined && key.revokedAt === null && workspace !== undefined
      return isFound ? Option.some({ key, workspace }) : Option.none()
    }),
  addKey: (key) => Effect.sync(() => putKey(keys, key)),
  keys: (id) =>
    Effect.sync(() => listKeys([...keys.values()].filter((key) => key.workspaceId === id))),
  rotateKey: (rotation) => Effect.sync(() => rotate(keys, rotation)),
  revokeKey: revokeIn(keys),
  forgetKeys: (id: WorkspaceId, before: DateTime.Utc) =>
    Effect.sync(() => forget(keys, id, before)),
  noteUse: noteUseIn(keys)
})

/** Provides an `OperatorKeyStore` in this process's memory. */
export const operatorKeys: Layer.Layer<OperatorKeyStore, never, MemoryDatabase> = Layer.effect(
  OperatorKeyStore,
  Effect.map(MemoryDatabase, ({ operatorKeys: keys }) =>
    OperatorKeyStore.of({
      find: (hash) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(keys.get(hash)).pipe(
            Option.filter(({ revokedAt }) => revokedAt === null)
          )
        ),
      add: (key) => Effect.sync(() => putKey(keys, key)),
      keys: Effect.sync(() => listKeys(keys.values())),
      revoke: revokeIn(keys),
      noteUse: noteUseIn(keys)
    })
  )
)
