/** Implements `WorkspaceStore` in memory. Balances change here and in job commits. */
import type { LedgerLine } from "@verbatim/core/job"
import {
  type Account,
  type AccountPage,
  type Credit,
  type LedgerQuery,
  type UsageQuery,
  WorkspaceStore
} from "@verbatim/core/ports"
import { noPieceWork } from "@verbatim/core/transcription"
import {
  type ApiKeyId,
  dayOf,
  type UsageRow,
  type UsageSubject,
  type WebhookSecret,
  type WebhookSecretId,
  type Workspace,
  type WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Equal, Layer, Option, Order } from "effect"
import { apiKeyMethods } from "./MemoryApiKeys.ts"
import { addEntry, type LedgerRow, MemoryDatabase, type Tables } from "./MemoryDatabase.ts"

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

/** Provides a `WorkspaceStore` in this process's memory. */
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

const keyOf = ({ reason }: LedgerRow): ApiKeyId | null =>
  reason._tag === "Charge" ? reason.keyId : null

const isCounted = (
  row: LedgerRow,
  query: Pick<UsageQuery, "from" | "keyId" | "to" | "workspaceId">
): boolean =>
  DateTime.isGreaterThanOrEqualTo(row.at, query.from) &&
  DateTime.isLessThan(row.at, query.to) &&
  (query.workspaceId === null || row.workspaceId === query.workspaceId) &&
  (query.keyId === null || keyOf(row) === query.keyId)

const subjectOf = (row: LedgerRow, by: UsageQuery["by"]): UsageSubject => ({
  day: by === "day" ? dayOf(row.at) : null,
  workspaceId: by === "day" ? null : row.workspaceId,
  keyId: by === "key" ? keyOf(row) : null
})

const inOrder: Order.Order<UsageSubject> = Order.combineAll([
  Order.mapInput(Order.Number, ({ day }: UsageSubject) => day ?? 0),
  Order.mapInput(Order.String, ({ workspaceId }: UsageSubject) => workspaceId ?? ""),
  Order.mapInput(Order.String, ({ keyId }: UsageSubject) => keyId ?? "")
])

/** Returns one page of usage totals. */
const sum = (ledger: Tables["ledger"], query: UsageQuery): ReadonlyArray<UsageRow> => {
  const rows = new Map<string, UsageRow>()
  for (const line of ledger.values()) {
    if (!isCounted(line, query)) continue
    const subject = subjectOf(line, query.by)
    const name = `${subject.day}/${subject.workspaceId}/${subject.keyId}`
    const none = { ...subject, chargedMillis: 0, jobs: 0, creditedMillis: 0, ...noPieceWork }
    const row = rows.get(name) ?? none
    const work = line.work ?? noPieceWork
    const isCharge = line.reason._tag === "Charge"
    rows.set(name, {
      ...row,
      chargedMillis: row.chargedMillis - (isCharge ? line.millis : 0),
      jobs: row.jobs + (isCharge ? 1 : 0),
      creditedMillis: row.creditedMillis + (isCharge ? 0 : line.millis),
      recognised: row.recognised + work.recognised,
      reused: row.reused + work.reused,
      engineMillis: row.engineMillis + work.engineMillis
    })
  }
  const { after } = query
  return [...rows.values()]
    .filter((row) => after === null || inOrder(row, after) > 0)
    .sort(inOrder)
    .slice(0, query.limit)
}
