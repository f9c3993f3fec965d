import { WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Effect } from "effect"
import { plantFaults, rewriteRows } from "./Fault.ts"

/** Faults in what becomes of the keys of workspaces. */
export const workspaceKeyFaults = plantFaults(WorkspaceStore, {
  "adds a key once, however often it comes": {
    "refuses a key that comes again": ({ addKey }, { keys }) => ({
      addKey: (key) =>
        Effect.suspend(() => (keys.has(key.hash) ? Effect.succeed(false) : addKey(key)))
    })
  },
  "revokes a key for good, at the first instant": {
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
  "keeps what a key is for: its name, its holder, its scopes, its limits and its end": {
    "takes no scope for every scope": ({ addKey }) => ({
      addKey: (key) => addKey({ ...key, scopes: key.scopes?.length ? key.scopes : null })
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
    })
  },
  "notes the last use of a key, and no earlier one": {
    "notes an earlier use over a later one": (_, { keys }) => ({
      noteUse: (id, at) => rewriteRows(keys, (key) => (key.id === id ? { lastUsedAt: at } : {}))
    })
  },
  "forgets the keys of a workspace that ended before an instant": {
    "forgets the keys that ended at the instant, too": ({ forgetKeys }) => ({
      forgetKeys: (id, before) => forgetKeys(id, DateTime.add(before, { milliseconds: 1 }))
    })
  }
})
