/** `WorkspaceStore` in memory. Balances change here and in the commits of jobs. */
import type { LedgerLine } from "@verbatim/core/job"
import {
  type Account,
  type AccountPage,
  type Credit,
  type LedgerQuery,
  WorkspaceStore
} from "@verbatim/core/ports"
import type {
  WebhookSecret,
  WebhookSecretId,
  Workspace,
  WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Equal, Layer, Option, Order } from "effect"
import { apiKeyMethods } from "./MemoryApiKeys.ts"
import { addEntry, MemoryDatabase, type Tables } from "./MemoryDatabase.ts"
import { sum } from "./MemoryUsage.ts"

/** Lists a page of ledger entries. */
const listLines = (
  ledger: Tables["ledger"],
  { before, limit, workspaceId }: LedgerQuery
): ReadonlyArray<LedgerLine> =>
  [...ledger.values()]
    .filter((row) => row.workspaceId === workspaceId && (before === null || row.ordinal < before))
    .reverse()
    .slice(0, limit)
    .map(({ at, millis, ordinal, reason }) => ({ ordinal, at, millis, reason }))

const byId: Order.Order<Account> = Order.mapInput(
  Order.String,
  ({ workspace }: Account) => workspace.id
)

const oldestSecretFirst: Order.Order<WebhookSecret> = Order.mapInput(
  DateTime.Order,
  ({ createdAt }: WebhookSecret) => createdAt
)

const bookCredit = (tables: Tables, { id, ...credit }: Credit): void =>
  addEntry(tables, { ...credit, reason: { _tag: "Credit", creditId: id } })

/** Finds an existing workspace with the same id or the same external id. */
const findSame = ({ accounts }: Tables, { externalId, id }: Workspace): Workspace | undefined => {
  const same =
    accounts.get(id) ??
    [...accounts.values()].find(
      ({ workspace }) => externalId !== null && workspace.externalId === externalId
    )
  return same?.workspace
}

const create = (tables: Tables, workspace: Workspace): Workspace => {
  const same = findSame(tables, workspace)
  if (same !== undefined) return same
  tables.accounts.set(workspace.id, { workspace, balanceMillis: 0 })
  return workspace
}

const replace = ({ accounts }: Tables, next: Workspace): boolean => {
  const account = accounts.get(next.id)
  if (account === undefined) return false
  if (account.workspace.revision !== next.revision - 1) return Equal.equals(account.workspace, next)
  accounts.set(next.id, { ...account, workspace: next })
  return true
}

const listAccounts = (
  accounts: Iterable<Account>,
  { after, limit }: AccountPage,
  isWanted: (workspace: Workspace) => boolean = () => true
) =>
  [...accounts]
    .filter(({ workspace }) => (after === null || workspace.id > after) && isWanted(workspace))
    .sort(byId)
    .slice(0, limit)

/** The `WorkspaceStore` of this process. */
export const layer: Layer.Layer<WorkspaceStore, never, MemoryDatabase> = Layer.effect(
  WorkspaceStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { accounts, keys, ledger, secrets } = tables

    return WorkspaceStore.of({
      found: (founding) =>
        Effect.sync(() => {
          const { workspace } = founding
          if (accounts.size > 0) return accounts.has(workspace.id)
          accounts.set(workspace.id, { workspace, balanceMillis: 0 })
          for (const key of founding.keys) keys.set(key.hash, key)
          bookCredit(tables, founding.credit)
          return true
        }),
      create: (workspace) => Effect.sync(() => create(tables, workspace)),
      replace: (next) => Effect.sync(() => replace(tables, next)),
      deleting: (page) =>
        Effect.sync(() =>
          listAccounts(accounts.values(), page, ({ _tag }) => _tag === "Deleting").map(
            ({ workspace }) => workspace
          )
        ),
      accounts: (page) => Effect.sync(() => listAccounts(accounts.values(), page)),
      account: (id) => Effect.sync(() => Option.fromUndefinedOr(accounts.get(id))),
      ...apiKeyMethods(tables),
      webhookSecrets: (id: WorkspaceId) =>
        Effect.sync(() =>
          [...secrets.values()]
            .filter(({ workspaceId }) => workspaceId === id)
            .sort(oldestSecretFirst)
        ),
      addWebhookSecret: (secret: WebhookSecret) =>
        Effect.sync(() => {
          if (!accounts.has(secret.workspaceId)) return false
          if (!secrets.has(secret.id)) secrets.set(secret.id, secret)
          return true
        }),
      removeWebhookSecret: (id: WorkspaceId, secretId: WebhookSecretId) =>
        Effect.sync(() => secrets.get(secretId)?.workspaceId === id && secrets.delete(secretId)),
      credit: (credit) =>
        Effect.sync(() => {
          bookCredit(tables, credit)
          return Option.fromUndefinedOr(accounts.get(credit.workspaceId)?.balanceMillis)
        }),
      ledger: (query) => Effect.sync(() => listLines(ledger, query)),
      usage: (query) => Effect.sync(() => sum(ledger, query))
    })
  })
)
