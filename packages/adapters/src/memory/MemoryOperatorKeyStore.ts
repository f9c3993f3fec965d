/** Implements `OperatorKeyStore` in memory. */
import { OperatorKeyStore } from "@verbatim/core/ports"
import type { ApiKeyId } from "@verbatim/core/workspace"
import { type DateTime, Effect, Layer, Option } from "effect"
import { changeKey, latest, listKeys, putKey } from "./MemoryApiKeys.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"

/** Provides an `OperatorKeyStore` in this process's memory. */
export const layer: Layer.Layer<OperatorKeyStore, never, MemoryDatabase> = Layer.effect(
  OperatorKeyStore,
  Effect.map(MemoryDatabase, ({ operatorKeys }) =>
    OperatorKeyStore.of({
      find: (hash) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(operatorKeys.get(hash)).pipe(
            Option.filter(({ revokedAt }) => revokedAt === null)
          )
        ),
      add: (key) => Effect.sync(() => putKey(operatorKeys, key)),
      keys: Effect.sync(() => listKeys(operatorKeys.values())),
      revoke: (id: ApiKeyId, at: DateTime.Utc) =>
        Effect.sync(() =>
          changeKey(operatorKeys, id, (key) => ({ ...key, revokedAt: key.revokedAt ?? at }))
        ),
      noteUse: (id: ApiKeyId, at: DateTime.Utc) =>
        Effect.sync(() => {
          changeKey(operatorKeys, id, (key) => ({
            ...key,
            lastUsedAt: latest(key.lastUsedAt, at)
          }))
        })
    })
  )
)
