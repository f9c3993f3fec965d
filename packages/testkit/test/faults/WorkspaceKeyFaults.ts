import { type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { type ApiKey, noLimits } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import { doBefore, type Fault, replacing } from "./Fault.ts"

type Keys = Map<ApiKey["hash"], ApiKey>

/** Changes keys by hand. */
const rewrite = (keys: Keys, change: (key: ApiKey) => Partial<ApiKey>) =>
  Effect.sync(() => {
    for (const key of [...keys.values()]) keys.set(key.hash, { ...key, ...change(key) })
  })

/** Faults in what becomes of the keys of workspaces. */
export const workspaceKeyFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "refuses a key that comes again",
    foundBy: "adds a key once, however often it comes",
    layer: replacing(WorkspaceStore, ({ addKey }, { keys }) => ({
      addKey: (key) =>
        Effect.suspend(() => (keys.has(key.hash) ? Effect.succeed(false) : addKey(key)))
    }))
  },
  {
    fault: "makes a key anew that comes again",
    foundBy: "adds a key once, however often it comes",
    layer: replacing(WorkspaceStore, ({ addKey }, { keys }) => ({
      addKey: doBefore(addKey, (key) => {
        if (keys.get(key.hash)?.id === key.id) keys.delete(key.hash)
      })
    }))
  },
  {
    fault: "finds revoked keys",
    foundBy: "revokes a key for good, at the first instant",
    layer: replacing(WorkspaceStore, (_, { accounts, keys }) => ({
      findKey: (hash) =>
        Effect.sync(() => {
          const key = keys.get(hash)
          const account = key && accounts.get(key.workspaceId)
          return key && account ? Option.some({ key, workspace: account.workspace }) : Option.none()
        })
    }))
  },
  {
    fault: "revokes at the last instant",
    foundBy: "revokes a key for good, at the first instant",
    layer: replacing(WorkspaceStore, ({ revokeKey }, { keys }) => ({
      revokeKey: (id, at) =>
        Effect.tap(revokeKey(id, at), () =>
          Effect.sync(() => {
            for (const key of [...keys.values()]) {
              if (key.id === id) keys.set(key.hash, { ...key, revokedAt: at })
            }
          })
        )
    }))
  },
  {
    fault: "lists keys in the order in which they came",
    foundBy: "lists all keys, oldest first",
    layer: replacing(WorkspaceStore, (_, { keys }) => ({
      keys: () => Effect.sync(() => [...keys.values()])
    }))
  },
  {
    fault: "finds a key with its workspace as it was at first",
    foundBy: "finds a key with its workspace as it is now",
    layer: replacing(WorkspaceStore, ({ findKey, found }) => {
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
    })
  },
  {
    fault: "takes no scope for every scope",
    foundBy: "keeps what a key is for: its name, its holder, its scopes, its limits and its end",
    layer: replacing(WorkspaceStore, ({ addKey }) => ({
      addKey: (key) => addKey({ ...key, scopes: key.scopes?.length ? key.scopes : null })
    }))
  },
  {
    fault: "keeps the scopes that it knows, and no other",
    foundBy: "keeps what a key is for: its name, its holder, its scopes, its limits and its end",
    layer: replacing(WorkspaceStore, ({ addKey }) => ({
      addKey: (key) =>
        addKey({ ...key, scopes: key.scopes?.filter((scope) => !scope.includes(" ")) ?? null })
    }))
  },
  {
    fault: "forgets when a key ends",
    foundBy: "keeps what a key is for: its name, its holder, its scopes, its limits and its end",
    layer: replacing(WorkspaceStore, ({ addKey }) => ({
      addKey: (key) => addKey({ ...key, expiresAt: null })
    }))
  },
  {
    fault: "forgets the limits of a key",
    foundBy: "keeps what a key is for: its name, its holder, its scopes, its limits and its end",
    layer: replacing(WorkspaceStore, ({ addKey }) => ({
      addKey: (key) => addKey({ ...key, ...noLimits })
    }))
  },
  {
    fault: "lists the keys of all workspaces",
    foundBy: "lists the keys of a workspace and of no other",
    layer: replacing(WorkspaceStore, (_, { keys }) => ({
      keys: () => Effect.sync(() => [...keys.values()])
    }))
  },
  {
    fault: "lets a key live longer that is replaced again",
    foundBy: "replaces a key by another, which go on together for a while",
    layer: replacing(WorkspaceStore, ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.tap(rotateKey(rotation), () =>
          rewrite(keys, ({ id }) => (id === rotation.id ? { expiresAt: rotation.until } : {}))
        )
    }))
  },
  {
    fault: "revokes a key that is replaced",
    foundBy: "replaces a key by another, which go on together for a while",
    layer: replacing(WorkspaceStore, ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.tap(rotateKey(rotation), () =>
          rewrite(keys, ({ id }) => (id === rotation.id ? { revokedAt: rotation.until } : {}))
        )
    }))
  },
  {
    fault: "replaces a key whose end has come nearer since",
    foundBy: "replaces a key for one of many who saw it without an end",
    layer: replacing(WorkspaceStore, ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.suspend(() => {
          const { successor } = rotation
          const old = [...keys.values()].find(({ id }) => id === rotation.id)
          const expiresAt = old === undefined ? successor.expiresAt : old.expiresAt
          return rotateKey({ ...rotation, successor: { ...successor, expiresAt } })
        })
    }))
  },
  {
    fault: "looks whether a key was replaced, and lets others replace it before it does",
    foundBy: "replaces a key once, however often it comes at once",
    layer: replacing(WorkspaceStore, ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.gen(function* () {
          const isNew = !keys.has(rotation.successor.hash)
          yield* Effect.yieldNow
          if (isNew && keys.has(rotation.successor.hash)) return false
          return yield* rotateKey(rotation)
        })
    }))
  },
  {
    fault: "refuses a replacement that comes again when the first key was revoked since",
    foundBy: "replaces a key once, however often it comes at once",
    layer: replacing(WorkspaceStore, ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.suspend(() => {
          const old = [...keys.values()].find(({ id }) => id === rotation.id)
          return old?.revokedAt ? Effect.succeed(false) : rotateKey(rotation)
        })
    }))
  },
  {
    fault: "replaces the key of another workspace",
    foundBy: "replaces no key that is revoked, unknown, or of another workspace",
    layer: replacing(WorkspaceStore, ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.suspend(() => {
          const old = [...keys.values()].find(({ id }) => id === rotation.id)
          const { successor } = rotation
          const workspaceId = old?.workspaceId ?? successor.workspaceId
          return rotateKey({ ...rotation, successor: { ...successor, workspaceId } })
        })
    }))
  },
  {
    fault: "lets a key end although the one that should replace it is refused",
    foundBy: "replaces no key that is revoked, unknown, or of another workspace",
    layer: replacing(WorkspaceStore, ({ rotateKey }, { keys }) => ({
      rotateKey: (rotation) =>
        Effect.andThen(
          rewrite(keys, ({ id }) => (id === rotation.id ? { expiresAt: rotation.until } : {})),
          rotateKey(rotation)
        )
    }))
  },
  {
    fault: "notes an earlier use over a later one",
    foundBy: "notes the last use of a key, and no earlier one",
    layer: replacing(WorkspaceStore, (_, { keys }) => ({
      noteUse: (id, at) => rewrite(keys, (key) => (key.id === id ? { lastUsedAt: at } : {}))
    }))
  },
  {
    fault: "notes the use of one key for all",
    foundBy: "notes the last use of a key, and no earlier one",
    layer: replacing(WorkspaceStore, (_, { keys }) => ({
      noteUse: (_, at) => rewrite(keys, () => ({ lastUsedAt: at }))
    }))
  },
  {
    fault: "forgets the keys that ended at the instant, too",
    foundBy: "forgets the keys of a workspace that ended before an instant",
    layer: replacing(WorkspaceStore, ({ forgetKeys }) => ({
      forgetKeys: (id, before) => forgetKeys(id, DateTime.add(before, { milliseconds: 1 }))
    }))
  },
  {
    fault: "forgets revoked keys, and no expired ones",
    foundBy: "forgets the keys of a workspace that ended before an instant",
    layer: replacing(WorkspaceStore, ({ forgetKeys }, { keys }) => ({
      forgetKeys: (id, before) => {
        const expired = [...keys.values()].filter(({ revokedAt }) => revokedAt === null)
        return Effect.tap(forgetKeys(id, before), () =>
          Effect.sync(() => {
            for (const key of expired) keys.set(key.hash, key)
          })
        )
      }
    }))
  },
  {
    fault: "forgets the keys of all workspaces",
    foundBy: "forgets the keys of a workspace that ended before an instant",
    layer: replacing(WorkspaceStore, ({ forgetKeys }, { accounts }) => ({
      forgetKeys: (_, before) =>
        Effect.forEach([...accounts.keys()], (id) => forgetKeys(id, before), { discard: true })
    }))
  }
]
