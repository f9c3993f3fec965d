import { type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { doBefore, type Fault, replacing } from "./Fault.ts"

export const workspaceStoreFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "looks for a workspace, then lets others found one before it does",
    foundBy: "lets one of many that found at once win, with its own keys and credit",
    layer: replacing(WorkspaceStore, ({ found }, { accounts }) => ({
      found: (founding) =>
        Effect.gen(function* () {
          if (accounts.size > 0) return false
          yield* Effect.yieldNow
          accounts.clear()
          return yield* found(founding)
        })
    }))
  },
  {
    fault: "adds the keys of a founding that is refused",
    foundBy: "founds nothing when there is a workspace, and writes nothing",
    layer: replacing(WorkspaceStore, ({ found }, { keys }) => ({
      found: doBefore(found, (founding) => {
        for (const key of founding.keys) keys.set(key.hash, key)
      })
    }))
  },
  {
    fault: "counts a credit twice",
    foundBy: "counts a credit once for its id, even that of the founding",
    layer: replacing(WorkspaceStore, ({ credit }, { ledger }) => ({
      credit: (given) => credit({ ...given, id: `${given.id}/${ledger.size}` })
    }))
  },
  {
    fault: "adds to the balance without a line in the ledger",
    foundBy: "adds a credit to balance and ledger, and answers with the new balance",
    layer: replacing(WorkspaceStore, ({ credit }, { ledger }) => ({
      credit: (given) =>
        Effect.tap(credit(given), () => Effect.sync(() => ledger.delete(`credit:${given.id}`)))
    }))
  },
  {
    fault: "loses a credit: the balance is read before others write",
    foundBy: "loses none of many credits at once",
    layer: replacing(WorkspaceStore, ({ credit }, { accounts }) => ({
      credit: (given) =>
        Effect.gen(function* () {
          const seen = accounts.get(given.workspaceId)
          yield* Effect.yieldNow
          if (seen) accounts.set(given.workspaceId, seen)
          return yield* credit(given)
        })
    }))
  },
  {
    fault: "keeps balances as 32-bit floats",
    foundBy: "keeps large balances exact",
    layer: replacing(WorkspaceStore, ({ credit }) => ({
      credit: (given) => Effect.map(credit(given), Option.map(Math.fround))
    }))
  },
  {
    fault: "refuses the founding of a workspace that comes again",
    foundBy: "founds nothing when there is a workspace, and writes nothing",
    layer: replacing(WorkspaceStore, ({ found }, { accounts }) => ({
      found: (founding) =>
        Effect.suspend(() => (accounts.size > 0 ? Effect.succeed(false) : found(founding)))
    }))
  },
  {
    fault: "signs for one workspace with the secrets of all",
    foundBy: "gives the secrets of a workspace to no other",
    layer: replacing(WorkspaceStore, (_, { secrets }) => ({
      webhookSecrets: () => Effect.sync(() => [...secrets.values()])
    }))
  },
  {
    fault: "lets a workspace remove the secret of another",
    foundBy: "gives the secrets of a workspace to no other",
    layer: replacing(WorkspaceStore, (_, { secrets }) => ({
      removeWebhookSecret: (_, id) => Effect.sync(() => secrets.delete(id))
    }))
  },
  {
    fault: "adds a secret to a workspace that does not exist",
    foundBy: "adds no webhook secret to a workspace that does not exist",
    layer: replacing(WorkspaceStore, (_, { secrets }) => ({
      addWebhookSecret: (secret) =>
        Effect.sync(() => {
          secrets.set(secret.id, secret)
          return true
        })
    }))
  },
  {
    fault: "writes a secret over another with its id",
    foundBy: "adds a webhook secret once for its id, and leaves the first as it is",
    layer: replacing(WorkspaceStore, ({ addWebhookSecret }, { secrets }) => ({
      addWebhookSecret: doBefore(addWebhookSecret, (secret) => secrets.delete(secret.id))
    }))
  },
  {
    fault: "removes every secret of a workspace at once",
    foundBy: "removes one webhook secret and leaves the others",
    layer: replacing(WorkspaceStore, ({ removeWebhookSecret }, { secrets }) => ({
      removeWebhookSecret: (workspace, id) =>
        Effect.tap(removeWebhookSecret(workspace, id), (isRemoved) =>
          Effect.sync(() => (isRemoved ? secrets.clear() : undefined))
        )
    }))
  },
  {
    fault: "lists secrets in the order in which they came",
    foundBy: "keeps webhook secrets as they are, oldest first",
    layer: replacing(WorkspaceStore, (_, { secrets }) => ({
      webhookSecrets: (id) =>
        Effect.sync(() => [...secrets.values()].filter(({ workspaceId }) => workspaceId === id))
    }))
  }
]
