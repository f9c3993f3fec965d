import { WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { doBefore, plantFaults } from "./Fault.ts"

export const workspaceStoreFaults = plantFaults(WorkspaceStore, {
  "lets one of many that found at once win, with its own keys and credit": {
    "looks for a workspace, then lets others found one before it does": (
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
    })
  },
  "founds nothing when there is a workspace, and writes nothing": {
    "refuses the founding of a workspace that comes again": ({ found }, { accounts }) => ({
      found: (founding) =>
        Effect.suspend(() => (accounts.size > 0 ? Effect.succeed(false) : found(founding)))
    })
  },
  "counts a credit once for its id, even that of the founding": {
    "counts a credit twice": ({ credit }, { ledger }) => ({
      credit: (given) => credit({ ...given, id: `${given.id}/${ledger.size}` })
    })
  },
  "adds a credit to balance and ledger, and answers with the new balance": {
    "adds to the balance without a line in the ledger": ({ credit }, { ledger }) => ({
      credit: (given) =>
        Effect.tap(credit(given), () =>
          Effect.sync(() => ledger.delete(`credit:${given.workspaceId} ${given.id}`))
        )
    })
  },
  "loses none of many credits at once": {
    "loses a credit: the balance is read before others write": ({ credit }, { accounts }) => ({
      credit: (given) =>
        Effect.gen(function* () {
          const seen = accounts.get(given.workspaceId)
          yield* Effect.yieldNow
          if (seen) accounts.set(given.workspaceId, seen)
          return yield* credit(given)
        })
    })
  },
  "keeps large balances exact": {
    "keeps balances as 32-bit floats": ({ credit }) => ({
      credit: (given) => Effect.map(credit(given), Option.map(Math.fround))
    })
  },
  "gives the secrets of a workspace to no other": {
    "signs for one workspace with the secrets of all": (_, { secrets }) => ({
      webhookSecrets: () => Effect.sync(() => [...secrets.values()])
    })
  },
  "adds no webhook secret to a workspace that does not exist": {
    "adds a secret to a workspace that does not exist": (_, { secrets }) => ({
      addWebhookSecret: (secret) =>
        Effect.sync(() => {
          secrets.set(secret.id, secret)
          return true
        })
    })
  },
  "adds a webhook secret once for its id, and leaves the first as it is": {
    "writes a secret over another with its id": ({ addWebhookSecret }, { secrets }) => ({
      addWebhookSecret: doBefore(addWebhookSecret, (secret) => secrets.delete(secret.id))
    })
  },
  "removes one webhook secret and leaves the others": {
    "removes every secret of a workspace at once": ({ removeWebhookSecret }, { secrets }) => ({
      removeWebhookSecret: (workspace, id) =>
        Effect.tap(removeWebhookSecret(workspace, id), (isRemoved) =>
          Effect.sync(() => (isRemoved ? secrets.clear() : undefined))
        )
    })
  },
  "keeps webhook secrets as they are, oldest first": {
    "lists secrets in the order in which they came": (_, { secrets }) => ({
      webhookSecrets: (id) =>
        Effect.sync(() => [...secrets.values()].filter(({ workspaceId }) => workspaceId === id))
    })
  }
})
