import { WorkspaceStore } from "@verbatim/core/ports"
import { noLimits } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import { doBefore, plantFaults, rewriteRows } from "./Fault.ts"

/** Faults in what becomes of the keys of workspaces. */
export const workspaceKeyFaults = plantFaults(WorkspaceStore, {
  "adds a key once, however often it comes": {
    "refuses a key that comes again": ({ addKey }, { keys }) => ({
      addKey: (key) =>
        Effect.suspend(() => (keys.has(key.hash) ? Effect.succeed(false) : addKey(key)))
    }),
    "makes a key anew that comes again": ({ addKey }, { keys }) => ({
      addKey: doBefore(addKey, (key) => {
        if (keys.get(key.hash)?.id === key.id) keys.delete(key.hash)
      })
    })
  },
  "revokes a key for good, at the first instant": {
    "finds revoked keys": (_, { accounts, keys }) => ({
      findKey: (hash) =>
        Effect.sync(() => {
          const key = keys.get(hash)
          const account = key && accounts.get(key.workspaceId)
          return key && account ? Option.some({ key, workspace: account.workspace }) : Option.none()
        })
    }),
    "revokes at the last instant": ({ revokeKey }, { keys }) => ({
      revokeKey: (id, at) =>
        Effect.tap(revokeKey(id, at), () =>
          rewriteRows(keys, (key) => (key.id === id ? { revokedAt: at } : {}))
        )
    })
  },
  "lists all keys, oldest first": {
    "lists keys in the order in which they came": (_, { keys }) => ({
      keys: () => Effect.sync(() => [...keys.values()])
    })
  },
  "finds a key with its workspace as it is now": {
    "finds a key with its workspace as it was at first": ({ findKey, found }) => {
      const first = new Map<string, Parameters<typeof found>[0]["workspace"]>()
      return {
        found: doBefore(found, ({ workspace }) => first.set(workspace.id, workspace)),
        findKey: (hash) =>
          Effect.map(
            findKey(hash),
            Option.map(({ key, workspace }) => ({
              key,
              workspace: first.get(workspace.id) ?? workspace
            }))
          )
      }
    }
  },
  "keeps what a key is for: its name, its holder, its scopes, its limits and its end": {
    "takes no scope for every scope": ({ addKey }) => ({
      addKey: (key) => addKey({ ...key, scopes: key.scopes?.length ? key.scopes : null })
    }),
    "keeps the scopes that it knows, and no other": ({ addKey }) => ({
      addKey: (key) =>
        addKey({ ...key, scopes: key.scopes?.filter((scope) => !scope.includes(" ")) ?? null })
    }),
    "forgets when a key ends": ({ addKey }) => ({
      addKey: (key) => addKey({ ...key, expiresAt: null })
    }),
    "forgets the limits of a key": ({ addKey }) => ({
      addKey: (key) => addKey({ ...key, ...noLimits })
    })
  },
  "lists the keys of a workspace and of no other": {
    "lists the keys of all workspaces": (_, { keys }) => ({
      keys: () => Effect.sync(() => [...keys.values()])
    })
  },
  "replaces a key by another, which go on together for a while": {
    "lets a key live longer that is replaced again": ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.tap(rotateKey(rotation), () =>
          rewriteRows(keys, ({ id }) => (id === rotation.id ? { expiresAt: rotation.until } : {}))
        )
    }),
    "revokes a key that is replaced": ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.tap(rotateKey(rotation), () =>
          rewriteRows(keys, ({ id }) => (id === rotation.id ? { revokedAt: rotation.until } : {}))
        )
    })
  },
  "replaces a key for one of many who saw it without an end": {
    "replaces a key whose end has come nearer since": ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.suspend(() => {
          const { successor } = rotation
          const old = [...keys.values()].find(({ id }) => id === rotation.id)
          const expiresAt = old === undefined ? successor.expiresAt : old.expiresAt
          return rotateKey({ ...rotation, successor: { ...successor, expiresAt } })
        })
    })
  },
  "replaces a key once, however often it comes at once": {
    "looks whether a key was replaced, and lets others replace it before it does": (
      { rotateKey },
      { keys }
    ) => ({
      rotateKey: (rotation) =>
        Effect.gen(function* () {
          const isNew = !keys.has(rotation.successor.hash)
          yield* Effect.yieldNow
          if (isNew && keys.has(rotation.successor.hash)) return false
          return yield* rotateKey(rotation)
        })
    }),
    "refuses a replacement that comes again when the first key was revoked since": (
      { rotateKey },
      { keys }
    ) => ({
      rotateKey: (rotation) =>
        Effect.suspend(() => {
          const old = [...keys.values()].find(({ id }) => id === rotation.id)
          return old?.revokedAt ? Effect.succeed(false) : rotateKey(rotation)
        })
    })
  },
  "replaces no key that is revoked, unknown, or of another workspace": {
    "replaces the key of another workspace": ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.suspend(() => {
          const old = [...keys.values()].find(({ id }) => id === rotation.id)
          const { successor } = rotation
          const workspaceId = old?.workspaceId ?? successor.workspaceId
          return rotateKey({ ...rotation, successor: { ...successor, workspaceId } })
        })
    }),
    "lets a key end although the one that should replace it is refused": (
      { rotateKey },
      { keys }
    ) => ({
      rotateKey: (rotation) =>
        Effect.andThen(
          rewriteRows(keys, ({ id }) => (id === rotation.id ? { expiresAt: rotation.until } : {})),
          rotateKey(rotation)
        )
    })
  },
  "notes the last use of a key, and no earlier one": {
    "notes an earlier use over a later one": (_, { keys }) => ({
      noteUse: (id, at) => rewriteRows(keys, (key) => (key.id === id ? { lastUsedAt: at } : {}))
    }),
    "notes the use of one key for all": (_, { keys }) => ({
      noteUse: (_, at) => rewriteRows(keys, () => ({ lastUsedAt: at }))
    })
  },
  "forgets the keys of a workspace that ended before an instant": {
    "forgets the keys that ended at the instant, too": ({ forgetKeys }) => ({
      forgetKeys: (id, before) => forgetKeys(id, DateTime.add(before, { milliseconds: 1 }))
    }),
    "forgets revoked keys, and no expired ones": ({ forgetKeys }, { keys }) => ({
      forgetKeys: (id, before) => {
        const expired = [...keys.values()].filter(({ revokedAt }) => revokedAt === null)
        return Effect.tap(forgetKeys(id, before), () =>
          Effect.sync(() => {
            for (const key of expired) keys.set(key.hash, key)
          })
        )
      }
    }),
    "forgets the keys of all workspaces": ({ forgetKeys }, { accounts }) => ({
      forgetKeys: (_, before) =>
        Effect.forEach([...accounts.keys()], (id) => forgetKeys(id, before), { discard: true })
    })
  }
})
