/**
 * `WorkspaceStore` in the memory of the process. Balances change here and in the commits of jobs.
 */

import { type Account, type Credit, trace, WorkspaceStore } from "@verbatim/core/ports"
import type {
  ApiKey,
  ApiKeyId,
  WebhookSecret,
  WebhookSecretId,
  WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option, Order } from "effect"
import { book, MemoryDatabase, type Tables } from "./MemoryDatabase.ts"

const oldestAccountFirst: Order.Order<Account> = Order.mapInput(
  DateTime.Order,
  ({ workspace }: Account) => workspace.createdAt
)

const oldestKeyFirst: Order.Order<ApiKey> = Order.mapInput(
  DateTime.Order,
  ({ createdAt }: ApiKey) => createdAt
)

const oldestSecretFirst: Order.Order<WebhookSecret> = Order.mapInput(
  DateTime.Order,
  ({ createdAt }: WebhookSecret) => createdAt
)

const bookCredit = (tables: Tables, { id, millis, workspaceId }: Credit): void =>
  book(tables, { key: `credit:${id}`, millis, workspaceId })

const revoke = ({ keys }: Tables, id: ApiKeyId, at: DateTime.Utc): boolean => {
  const key = [...keys.values()].find((each) => each.id === id)
  if (key === undefined) return false
  keys.set(key.hash, { ...key, revokedAt: key.revokedAt ?? at })
  return true
}

/** The workspaces of the process. */
export const layer: Layer.Layer<WorkspaceStore, never, MemoryDatabase> = Layer.effect(
  WorkspaceStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { accounts, keys, ledger, secrets } = tables

    return WorkspaceStore.of({
      found: trace("MemoryWorkspaceStore.found")((founding) =>
        Effect.sync(() => {
          const { workspace } = founding
          if (accounts.size > 0) return accounts.has(workspace.id)
          accounts.set(workspace.id, { workspace, balanceMillis: 0 })
          for (const key of founding.keys) keys.set(key.hash, key)
          bookCredit(tables, founding.credit)
          return true
        })
      ),
      accounts: Effect.sync(() => [...accounts.values()].sort(oldestAccountFirst)),
      account: trace("MemoryWorkspaceStore.account")((id) =>
        Effect.sync(() => Option.fromUndefinedOr(accounts.get(id)))
      ),
      findKey: trace("MemoryWorkspaceStore.findKey")((hash) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(keys.get(hash)).pipe(
            Option.filter(({ revokedAt }) => revokedAt === null)
          )
        )
      ),
      addKey: trace("MemoryWorkspaceStore.addKey")((key) =>
        Effect.sync(() => {
          const known = keys.get(key.hash)
          if (known !== undefined) return known.id === key.id
          keys.set(key.hash, key)
          return true
        })
      ),
      keys: Effect.sync(() => [...keys.values()].sort(oldestKeyFirst)),
      revokeKey: trace("MemoryWorkspaceStore.revokeKey")((id: ApiKeyId, at: DateTime.Utc) =>
        Effect.sync(() => revoke(tables, id, at))
      ),
      webhookSecrets: trace("MemoryWorkspaceStore.webhookSecrets")((id: WorkspaceId) =>
        Effect.sync(() =>
          [...secrets.values()]
            .filter(({ workspaceId }) => workspaceId === id)
            .sort(oldestSecretFirst)
        )
      ),
      addWebhookSecret: trace("MemoryWorkspaceStore.addWebhookSecret")((secret: WebhookSecret) =>
        Effect.sync(() => {
          if (!accounts.has(secret.workspaceId)) return false
          if (!secrets.has(secret.id)) secrets.set(secret.id, secret)
          return true
        })
      ),
      removeWebhookSecret: trace("MemoryWorkspaceStore.removeWebhookSecret")(
        (id: WorkspaceId, secretId: WebhookSecretId) =>
          Effect.sync(() => secrets.get(secretId)?.workspaceId === id && secrets.delete(secretId))
      ),
      credit: trace("MemoryWorkspaceStore.credit")((credit) =>
        Effect.sync(() => {
          bookCredit(tables, credit)
          return Option.fromUndefinedOr(accounts.get(credit.workspaceId)?.balanceMillis)
        })
      ),
      ledger: trace("MemoryWorkspaceStore.ledger")((id: WorkspaceId) =>
        Effect.sync(() =>
          [...ledger.values()].flatMap(({ millis, workspaceId }) =>
            workspaceId === id ? [{ millis }] : []
          )
        )
      )
    })
  })
)
