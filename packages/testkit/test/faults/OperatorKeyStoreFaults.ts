import { OperatorKeyStore, type Stores } from "@verbatim/core/ports"
import type { OperatorKey } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { operatorKey } from "#src/samples/SampleWorkspace"
import { doBefore, type Fault, replacing, type Tables } from "./Fault.ts"

/** Changes keys by hand. */
const rewrite = (
  { operatorKeys }: Tables,
  change: (key: OperatorKey) => Partial<OperatorKey>
): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const key of [...operatorKeys.values()]) {
      operatorKeys.set(key.hash, { ...key, ...change(key) })
    }
  })

export const operatorKeyStoreFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "opens to a key that nobody added",
    foundBy: "begins empty",
    layer: replacing(OperatorKeyStore, () => ({
      find: () => Effect.succeed(Option.some(operatorKey(1)))
    }))
  },
  {
    fault: "refuses an operator key that comes again",
    foundBy: "adds an operator key once, as it is, and no other with its hash",
    layer: replacing(OperatorKeyStore, ({ add }, { operatorKeys }) => ({
      add: (key) =>
        Effect.suspend(() => (operatorKeys.has(key.hash) ? Effect.succeed(false) : add(key)))
    }))
  },
  {
    fault: "writes an operator key over another with its hash",
    foundBy: "adds an operator key once, as it is, and no other with its hash",
    layer: replacing(OperatorKeyStore, ({ add }, { operatorKeys }) => ({
      add: doBefore(add, ({ hash }) => operatorKeys.delete(hash))
    }))
  },
  {
    fault: "forgets when an operator key ends",
    foundBy: "adds an operator key once, as it is, and no other with its hash",
    layer: replacing(OperatorKeyStore, ({ add }) => ({
      add: (key) => add({ ...key, expiresAt: null })
    }))
  },
  {
    fault: "lists operator keys in the order in which they came",
    foundBy: "adds an operator key once, as it is, and no other with its hash",
    layer: replacing(OperatorKeyStore, (_, { operatorKeys }) => ({
      keys: Effect.sync(() => [...operatorKeys.values()])
    }))
  },
  {
    fault: "finds revoked operator keys",
    foundBy: "revokes an operator key for good, at the first instant",
    layer: replacing(OperatorKeyStore, (_, { operatorKeys }) => ({
      find: (hash) => Effect.sync(() => Option.fromUndefinedOr(operatorKeys.get(hash)))
    }))
  },
  {
    fault: "revokes an operator key at the last instant",
    foundBy: "revokes an operator key for good, at the first instant",
    layer: replacing(OperatorKeyStore, ({ revoke }, tables) => ({
      revoke: (id, at) =>
        Effect.tap(revoke(id, at), () =>
          rewrite(tables, (key) => (key.id === id ? { revokedAt: at } : {}))
        )
    }))
  },
  {
    fault: "revokes every operator key",
    foundBy: "revokes an operator key for good, at the first instant",
    layer: replacing(OperatorKeyStore, ({ revoke }, tables) => ({
      revoke: (id, at) =>
        Effect.tap(revoke(id, at), () => rewrite(tables, () => ({ revokedAt: at })))
    }))
  },
  {
    fault: "brings a revoked operator key back that is added again",
    foundBy: "revokes an operator key for good, at the first instant",
    layer: replacing(OperatorKeyStore, ({ add }, { operatorKeys }) => ({
      add: doBefore(add, (key) => {
        if (operatorKeys.get(key.hash)?.id === key.id) operatorKeys.set(key.hash, key)
      })
    }))
  },
  {
    fault: "notes an earlier use of an operator key over a later one",
    foundBy: "notes the last use of an operator key, and no earlier one",
    layer: replacing(OperatorKeyStore, (_, tables) => ({
      noteUse: (id, at) => rewrite(tables, (key) => (key.id === id ? { lastUsedAt: at } : {}))
    }))
  }
]
