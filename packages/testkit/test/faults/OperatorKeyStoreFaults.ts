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
    "writes an operator key over another with its hash": ({ add }, { operatorKeys }) => ({
      add: doBefore(add, ({ hash }) => operatorKeys.delete(hash))
    })
  },
  "revokes an operator key for good, at the first instant": {
    "finds revoked operator keys": (_, { operatorKeys }) => ({
      find: (hash) => Effect.sync(() => Option.fromUndefinedOr(operatorKeys.get(hash)))
    })
  },
  "notes the last use of an operator key, and no earlier one": {
    "notes an earlier use of an operator key over a later one": (_, { operatorKeys }) => ({
      noteUse: (id, at) =>
        rewriteRows(operatorKeys, (key) => (key.id === id ? { lastUsedAt: at } : {}))
    })
  }
})
