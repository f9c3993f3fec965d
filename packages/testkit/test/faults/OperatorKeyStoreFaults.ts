import { OperatorKeyStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { operatorKey } from "#src/samples/SampleWorkspace"
import { doBefore, plantFaults, rewriteRows } from "./Fault.ts"

export const operatorKeyStoreFaults = plantFaults(OperatorKeyStore, {
  "begins empty": {
    "opens to a key that nobody added": () => ({
      find: () => Effect.succeed(Option.some(operatorKey(1)))
    })
  },
  "adds an operator key once, as it is, and no other with its hash": {
    "refuses an operator key that comes again": ({ add }, { operatorKeys }) => ({
      add: (key) =>
        Effect.suspend(() => (operatorKeys.has(key.hash) ? Effect.succeed(false) : add(key)))
    }),
    "writes an operator key over another with its hash": ({ add }, { operatorKeys }) => ({
      add: doBefore(add, ({ hash }) => operatorKeys.delete(hash))
    }),
    "forgets when an operator key ends": ({ add }) => ({
      add: (key) => add({ ...key, expiresAt: null })
    }),
    "lists operator keys in the order in which they came": (_, { operatorKeys }) => ({
      keys: Effect.sync(() => [...operatorKeys.values()])
    })
  },
  "revokes an operator key for good, at the first instant": {
    "finds revoked operator keys": (_, { operatorKeys }) => ({
      find: (hash) => Effect.sync(() => Option.fromUndefinedOr(operatorKeys.get(hash)))
    }),
    "revokes an operator key at the last instant": ({ revoke }, { operatorKeys }) => ({
      revoke: (id, at) =>
        Effect.tap(revoke(id, at), () =>
          rewriteRows(operatorKeys, (key) => (key.id === id ? { revokedAt: at } : {}))
        )
    }),
    "revokes every operator key": ({ revoke }, { operatorKeys }) => ({
      revoke: (id, at) =>
        Effect.tap(revoke(id, at), () => rewriteRows(operatorKeys, () => ({ revokedAt: at })))
    }),
    "brings a revoked operator key back that is added again": ({ add }, { operatorKeys }) => ({
      add: doBefore(add, (key) => {
        if (operatorKeys.get(key.hash)?.id === key.id) operatorKeys.set(key.hash, key)
      })
    })
  },
  "notes the last use of an operator key, and no earlier one": {
    "notes an earlier use of an operator key over a later one": (_, { operatorKeys }) => ({
      noteUse: (id, at) =>
        rewriteRows(operatorKeys, (key) => (key.id === id ? { lastUsedAt: at } : {}))
    })
  }
})
