/** A sample workspace with keys and credit. */

import { type Credit, WorkspaceStore } from "@verbatim/core/ports"
import {
  ApiKey,
  createWorkspace,
  noLimits,
  OperatorKey,
  WebhookSecret,
  type Workspace,
  type WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { apiKeyId, creditId, keyHash, userId, webhookSecretId, workspaceId } from "./Ids.ts"

/**
 * The time at which contract cases begin, because in 1970 some comparisons would succeed by
 * accident. A store with its own clock sees it as past.
 */
export const instant: DateTime.Utc = DateTime.makeUnsafe("2025-01-02T03:04:05.678Z")

/** Returns the timestamp that is the given number of milliseconds after `instant`. */
export const later = (millis: number): DateTime.Utc =>
  DateTime.add(instant, { milliseconds: millis })

export const workspace = (number: number): Workspace =>
  createWorkspace({
    id: workspaceId(number),
    name: `workspace ${number}`,
    externalId: null,
    firstUserId: userId(number),
    createdAt: instant
  })

/** Reads all workspaces in a store that has only a few. */
export const allAccounts = WorkspaceStore.use((store) =>
  store.accounts({ after: null, limit: 1_000 })
)

/** A valid operator key. */
export const operatorKey = (number: number): OperatorKey =>
  OperatorKey.make({
    id: apiKeyId(number),
    hash: keyHash(number),
    hint: "vbo_1234…",
    name: null,
    createdAt: later(number),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null
  })

/** A valid management key for the first workspace. */
export const apiKey = (number: number): ApiKey =>
  ApiKey.make({
    ...operatorKey(number),
    ...{ workspaceId: workspaceId(1), userId: userId(1), kind: "management" },
    ...{ hint: "vbm_1234…", holder: null, scopes: null },
    ...noLimits
  })

/** A webhook secret for the first workspace, made of 32 equal bytes. */
export const webhookSecret = (number: number): WebhookSecret =>
  WebhookSecret.make({
    id: webhookSecretId(number),
    workspaceId: workspaceId(1),
    secret: Redacted.make(`whsec_${Base64.encode(new Uint8Array(32).fill(number))}`),
    createdAt: later(number)
  })

/** A credit to the first workspace. */
export const credit = (number: number, millis: number): Credit => ({
  id: creditId(number),
  workspaceId: workspaceId(1),
  millis,
  at: instant
})

/** A new workspace's balance: 600 minutes. */
export const foundingMillis = 36_000_000

/**
 * Creates a store's first workspace with this number, a key with the same number, and 600 minutes.
 */
export const foundWorkspace = (number: number): Effect.Effect<boolean, unknown, WorkspaceStore> =>
  WorkspaceStore.use((store) =>
    store.found({
      workspace: workspace(number),
      keys: [{ ...apiKey(number), workspaceId: workspaceId(number), userId: userId(number) }],
      credit: { ...credit(number, foundingMillis), workspaceId: workspaceId(number) }
    })
  )

/** Creates the first workspace, to which most samples belong. */
export const foundFirst: Effect.Effect<WorkspaceId, unknown, WorkspaceStore> = Effect.as(
  foundWorkspace(1),
  workspaceId(1)
)

/** Creates the first workspace, then runs the steps as `Effect.gen` does. */
export const withWorkspace = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  steps: () => Generator<Step, A, never>
) => Effect.andThen(foundFirst, Effect.gen(steps))
