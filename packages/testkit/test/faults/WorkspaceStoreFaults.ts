import type { LedgerLine } from "@verbatim/core/job"
import { WorkspaceStore } from "@verbatim/core/ports"
import type { Workspace } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import { doBefore, plantFaults, rewriteRows, type Tables } from "./Fault.ts"

export const workspaceStoreFaults = plantFaults(WorkspaceStore, {
  // Looks for a workspace, then lets others found one before it does.
  "lets one of many that found at once win, with its own keys and credit": (
    { found },
    { accounts }
  ) => ({
    found: (founding) =>
      Effect.gen(function* () {
        if (accounts.size > 0) return false
        yield* Effect.yieldNow
        accounts.clear()
        return yield* found(founding)
      })
  }),
  // Refuses the founding of a workspace that comes again.
  "founds nothing when there is a workspace, and writes nothing": ({ found }, { accounts }) => ({
    found: (founding) =>
      Effect.suspend(() => (accounts.size > 0 ? Effect.succeed(false) : found(founding)))
  }),
  // Counts a credit twice.
  "counts a credit once for its id, even that of the founding": ({ credit }, { ledger }) => ({
    credit: (given) => credit({ ...given, id: `${given.id}/${ledger.size}` })
  }),
  // Adds to the balance without a line in the ledger.
  "adds a credit to balance and ledger, and answers with the new balance": (
    { credit },
    { ledger }
  ) => ({
    credit: (given) =>
      Effect.tap(credit(given), () =>
        Effect.sync(() => ledger.delete(`credit:${given.workspaceId} ${given.id}`))
      )
  }),
  // Loses a credit: the balance is read before others write.
  "loses none of many credits at once": ({ credit }, { accounts }) => ({
    credit: (given) =>
      Effect.gen(function* () {
        const seen = accounts.get(given.workspaceId)
        yield* Effect.yieldNow
        if (seen) accounts.set(given.workspaceId, seen)
        return yield* credit(given)
      })
  }),
  // Keeps balances as 32-bit floats.
  "keeps large balances exact": ({ credit }) => ({
    credit: (given) => Effect.map(credit(given), Option.map(Math.fround))
  }),
  // Signs for one workspace with the secrets of all.
  "gives the secrets of a workspace to no other": (_, { secrets }) => ({
    webhookSecrets: () => Effect.sync(() => [...secrets.values()])
  }),
  // Adds a secret to a workspace that does not exist.
  "adds no webhook secret to a workspace that does not exist": (_, { secrets }) => ({
    addWebhookSecret: (secret) =>
      Effect.sync(() => {
        secrets.set(secret.id, secret)
        return true
      })
  }),
  // Writes a secret over another with its id.
  "adds a webhook secret once for its id, and leaves the first as it is": (
    { addWebhookSecret },
    { secrets }
  ) => ({
    addWebhookSecret: doBefore(addWebhookSecret, (secret) => secrets.delete(secret.id))
  }),
  // Removes every secret of a workspace at once.
  "removes one webhook secret and leaves the others": ({ removeWebhookSecret }, { secrets }) => ({
    removeWebhookSecret: (workspace, id) =>
      Effect.tap(removeWebhookSecret(workspace, id), (isRemoved) =>
        Effect.sync(() => (isRemoved ? secrets.clear() : undefined))
      )
  }),
  // Lists secrets in the order in which they came.
  "keeps webhook secrets as they are, oldest first": (_, { secrets }) => ({
    webhookSecrets: (id) =>
      Effect.sync(() => [...secrets.values()].filter(({ workspaceId }) => workspaceId === id))
  })
})

type Ledger = WorkspaceStore["Service"]["ledger"]

/** A page of the whole ledger after it was changed. */
const ofWhole =
  (ledger: Ledger, change: (all: ReadonlyArray<LedgerLine>) => ReadonlyArray<LedgerLine>): Ledger =>
  ({ limit, ...query }) =>
    Effect.map(ledger({ ...query, limit: 1_000 }), (all) => change(all).slice(0, limit))

/** Faults in ledgers of credits. */
export const ledgerFaults = plantFaults(WorkspaceStore, {
  // Lists the oldest line first.
  "tells what each line is, the last booked first, whatever instant it bears": ({ ledger }) => ({
    ledger: ofWhole(ledger, (all) => all.toReversed())
  }),
  // Begins each page with the last line of the page before.
  "pages a ledger, each line once, whatever is booked meanwhile": ({ ledger }) => ({
    ledger: ({ before, ...query }) =>
      ledger({ ...query, before: before === null ? null : before + 1 })
  })
})

/** Faults in what ledgers tell of charges, which are shown by cases of the `JobStore`. */
export const chargeFaults = plantFaults(WorkspaceStore, {
  // Leaves out what cost nothing.
  "tells the job of each charge and the key that asked for it, also when the job is gone": ({
    ledger
  }) => ({ ledger: ofWhole(ledger, (all) => all.filter(({ millis }) => millis !== 0)) })
})

/** Faults in what becomes of the keys of workspaces. */
export const workspaceKeyFaults = plantFaults(WorkspaceStore, {
  // Refuses a key that comes again.
  "adds a key once, however often it comes": ({ addKey }, { keys }) => ({
    addKey: (key) =>
      Effect.suspend(() => (keys.has(key.hash) ? Effect.succeed(false) : addKey(key)))
  }),
  // Revokes at the last instant.
  "revokes a key for good, at the first instant": ({ revokeKey }, { keys }) => ({
    revokeKey: (id, at) =>
      Effect.tap(revokeKey(id, at), () =>
        rewriteRows(keys, (key) => (key.id === id ? { revokedAt: at } : {}))
      )
  }),
  // Takes no scope for every scope.
  "keeps what a key is for: its name, its holder, its scopes, its limits and its end": ({
    addKey
  }) => ({
    addKey: (key) => addKey({ ...key, scopes: key.scopes?.length ? key.scopes : null })
  }),
  // Lists the keys of all workspaces.
  "lists the keys of a workspace and of no other, oldest first": (_, { keys }) => ({
    keys: () => Effect.sync(() => [...keys.values()])
  }),
  // Lets a key live longer that is replaced again.
  "replaces a key by another, which go on together for a while": ({ rotateKey }, { keys }) => ({
    rotateKey: (rotation) =>
      Effect.tap(rotateKey(rotation), () =>
        rewriteRows(keys, ({ id }) => (id === rotation.id ? { expiresAt: rotation.until } : {}))
      )
  }),
  // Replaces a key whose end has come nearer since.
  "replaces a key for one of many who saw it without an end": ({ rotateKey }, { keys }) => ({
    rotateKey: (rotation) =>
      Effect.suspend(() => {
        const { successor } = rotation
        const old = [...keys.values()].find(({ id }) => id === rotation.id)
        const expiresAt = old === undefined ? successor.expiresAt : old.expiresAt
        return rotateKey({ ...rotation, successor: { ...successor, expiresAt } })
      })
  }),
  // Refuses a replacement that comes again when the first key was revoked since.
  "replaces a key once, however often it comes at once": ({ rotateKey }, { keys }) => ({
    rotateKey: (rotation) =>
      Effect.suspend(() => {
        const old = [...keys.values()].find(({ id }) => id === rotation.id)
        return old?.revokedAt ? Effect.succeed(false) : rotateKey(rotation)
      })
  }),
  // Replaces the key of another workspace.
  "replaces no key that is revoked, unknown, or of another workspace": (
    { rotateKey },
    { keys }
  ) => ({
    rotateKey: (rotation) =>
      Effect.suspend(() => {
        const old = [...keys.values()].find(({ id }) => id === rotation.id)
        const { successor } = rotation
        const workspaceId = old?.workspaceId ?? successor.workspaceId
        return rotateKey({ ...rotation, successor: { ...successor, workspaceId } })
      })
  }),
  // Notes an earlier use over a later one.
  "notes the last use of a key, and no earlier one": (_, { keys }) => ({
    noteUse: (id, at) => rewriteRows(keys, (key) => (key.id === id ? { lastUsedAt: at } : {}))
  }),
  // Forgets the keys that ended at the instant, too.
  "forgets the keys of a workspace that ended before an instant": ({ forgetKeys }) => ({
    forgetKeys: (id, before) => forgetKeys(id, DateTime.add(before, { milliseconds: 1 }))
  })
})

/** Writes a workspace, whatever is there. */
const overwrite = ({ accounts }: Tables, workspace: Workspace) =>
  Effect.sync(() => {
    const balanceMillis = accounts.get(workspace.id)?.balanceMillis ?? 0
    accounts.set(workspace.id, { workspace, balanceMillis })
  })

/** The workspace with an external id, or with none. */
const withExternalId = ({ accounts }: Tables, externalId: string | null) =>
  [...accounts.values()].find(({ workspace }) => workspace.externalId === externalId)?.workspace

/** Faults in how workspaces come, and how they change. */
export const workspaceTenantFaults = plantFaults(WorkspaceStore, {
  // Tells who asks later of a workspace that it did not make.
  "gives all who ask for one external id at once the same workspace": ({ create }) => ({
    create: (workspace) => Effect.as(create(workspace), workspace)
  }),
  // Takes no external id for one.
  "makes many workspaces without an external id": ({ create }, tables) => ({
    create: (workspace) =>
      Effect.suspend(() => {
        const same = withExternalId(tables, workspace.externalId)
        return same === undefined ? create(workspace) : Effect.succeed(same)
      })
  }),
  // Lists one workspace more than are wanted.
  "lists workspaces in pages, in the order of their ids": ({ accounts }) => ({
    accounts: ({ after, limit }) => accounts({ after, limit: limit + 1 })
  }),
  // Writes a change over one that it did not see.
  "changes a workspace that is as its writer saw it": (_, tables) => ({
    replace: (next) => Effect.as(overwrite(tables, next), true)
  }),
  // Looks at a workspace, and lets others change it before it does.
  "lets one of many that change a workspace at once win": (_, tables) => ({
    replace: (next) =>
      Effect.gen(function* () {
        const seen = tables.accounts.get(next.id)?.workspace.revision
        yield* Effect.yieldNow
        if (seen !== next.revision - 1) return false
        yield* overwrite(tables, next)
        return true
      })
  })
})
