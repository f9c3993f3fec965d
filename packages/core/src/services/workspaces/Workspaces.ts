/** Manages workspaces: creation, changes, deletion, credits, and webhook secrets. */

import { Context, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { KeyOrder } from "../../domain/workspace/ApiKey.ts"
import type { Limits } from "../../domain/workspace/Limits.ts"
import { fromMinutes } from "../../domain/workspace/Usage.ts"
import {
  generate,
  type SecretText,
  secretMax,
  WebhookSecret,
  WebhookSecretId
} from "../../domain/workspace/WebhookSecret.ts"
import {
  createWorkspace,
  UserId,
  type Workspace,
  WorkspaceId
} from "../../domain/workspace/Workspace.ts"
import {
  applyWorkspaceChange,
  beginDeletion,
  type WorkspaceChange
} from "../../domain/workspace/WorkspaceChange.ts"
import { trace } from "../../ports/Trace.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { makeKeyFactory, TokenUnacceptable } from "./ApiKeys.ts"
import {
  makeFindAccount,
  makeFindWorkspace,
  retryUnknownOutcome,
  WorkspaceNotFound
} from "./WorkspaceReads.ts"

/** Another workspace already has this external id. */
export class ExternalIdTaken extends refusal<ExternalIdTaken>()("ExternalIdTaken", {
  fields: {
    externalId: Schema.String
  },
  sentence: "Another workspace has that external id"
}) {}

/** Other callers kept changing the workspace at the same time. */
export class WorkspaceContended extends refusal<WorkspaceContended>()("WorkspaceContended", {
  sentence: "Other callers keep changing the workspace at the same time"
}) {}

/** The workspace has the maximum number of webhook secrets. */
export class WebhookSecretsFull extends refusal<WebhookSecretsFull>()("WebhookSecretsFull", {
  fields: { max: Schema.Int },
  sentence: ({ max }) => `The workspace has ${max} webhook secrets, as many as are allowed`
}) {}

/** A request for a new workspace. */
export interface WorkspaceOrder {
  readonly name: string
  readonly externalId?: string | undefined
  /** The limits of the workspace; none by default. */
  readonly limits?: Limits | undefined
}

/** A request to credit minutes to a workspace. */
export interface CreditOrder {
  /** The number of minutes; it can be negative. */
  readonly minutes: number
  /**
   * A UUID that the caller chooses. Credits with the same id count once, so a caller that got no
   * response can retry. If the id is left out, each call is a separate credit.
   */
  readonly creditId?: string | undefined
}

const makeWorkspaces = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const random = yield* SecureRandom.SecureRandom
  const account = yield* makeFindAccount
  const find = yield* makeFindWorkspace

  const credit = trace("Workspaces.credit")(function* (
    id: WorkspaceId,
    { creditId, minutes }: CreditOrder
  ) {
    yield* find(id)
    const credit = {
      // The id is converted to lower case, because a UUID can be written in upper or lower case.
      id: creditId?.toLowerCase() ?? (yield* random.uuidV4()),
      workspaceId: id,
      millis: fromMinutes(minutes),
      at: yield* DateTime.now
    }
    const balance = yield* retryUnknownOutcome(store.credit(credit))
    if (Option.isNone(balance)) return yield* new WorkspaceNotFound({ id })
    return balance.value
  })

  return {
    /** Returns a workspace's balance. */
    balance: (id: WorkspaceId) => Effect.map(account(id), ({ balanceMillis }) => balanceMillis),
    /** Returns workspaces with their balances, in order of creation. */
    accounts: store.accounts,
    /**
     * Returns a workspace with its balance. Deleted workspaces are returned too, because their
     * ledgers stay.
     */
    account,
    /** Credits minutes to a workspace, and returns the new balance. */
    credit,
    ...(yield* makeCreation),
    ...(yield* makeChanges),
    ...(yield* makeSecrets)
  }
})

export class Workspaces extends Context.Service<
  Workspaces,
  Effect.Success<typeof makeWorkspaces>
>()("@verbatim/core/services/Workspaces") {
  static readonly layer: Layer.Layer<
    Workspaces,
    never,
    Digest.Digest | SecureRandom.SecureRandom | WorkspaceStore
  > = Layer.effect(Workspaces, makeWorkspaces)
}

/** Creates the methods that create workspaces. */
const makeCreation = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const random = yield* SecureRandom.SecureRandom
  const { makeKey } = yield* makeKeyFactory

  const makeWorkspace = Effect.fnUntraced(function* ({ externalId, limits, name }: WorkspaceOrder) {
    return createWorkspace({
      limits,
      id: WorkspaceId.make(yield* random.uuidV7()),
      name,
      externalId: externalId ?? null,
      firstUserId: UserId.make(`user_${yield* random.uuidV4()}`),
      createdAt: yield* DateTime.now
    })
  })

  const create = trace("Workspaces.create")(function* (order: WorkspaceOrder) {
    const workspace = yield* makeWorkspace(order)
    const stored = yield* retryUnknownOutcome(store.create(workspace))
    if (stored.id === workspace.id) return stored
    return yield* new ExternalIdTaken({ externalId: String(order.externalId) })
  })

  const ensure = trace("Workspaces.ensure")(function* (externalId: string) {
    return yield* retryUnknownOutcome(
      store.create(yield* makeWorkspace({ externalId, name: externalId }))
    )
  })

  const found = trace("Workspaces.found")(function* (founding: {
    readonly keys: ReadonlyArray<KeyOrder>
    readonly minutes: number
  }) {
    const at = yield* DateTime.now
    const workspace = yield* makeWorkspace({ name: "default" })
    const issued = yield* Effect.forEach(founding.keys, (order) =>
      Effect.catchTag(makeKey(workspace, order), "ScopeBeyondKind", Effect.die)
    )
    const hashes = new Set(issued.map(({ key }) => key.hash))
    if (hashes.size < issued.length) return yield* new TokenUnacceptable()
    const credit = {
      id: yield* random.uuidV4(),
      workspaceId: workspace.id,
      millis: fromMinutes(founding.minutes),
      at
    }
    const keys = issued.map(({ key }) => key)
    const isFounded = yield* retryUnknownOutcome(store.found({ workspace, keys, credit }))
    return isFounded ? Option.some(issued) : Option.none()
  })

  return {
    /** Creates a workspace with a balance of zero and no keys. */
    create,
    /**
     * Returns the workspace with this external id. If it does not exist, it is created, once for
     * all concurrent calls.
     */
    ensure,
    /** Creates the first workspace in an empty store; none if the store is not empty. */
    found
  }
})

/** Creates the methods that change and delete a workspace. */
const makeChanges = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const account = yield* makeFindAccount

  /** Changes the stored workspace. Of two concurrent changes, the later one is retried. */
  const revise = Effect.fnUntraced(
    function* <E>(
      id: WorkspaceId,
      next: (workspace: Workspace, at: DateTime.Utc) => Result.Result<Workspace, E>
    ) {
      const { workspace } = yield* account(id)
      const changed = yield* Effect.fromResult(next(workspace, yield* DateTime.now))
      if (changed === workspace) return workspace
      const isWritten = yield* retryUnknownOutcome(store.replace(changed))
      return isWritten ? changed : yield* new WorkspaceContended()
    },
    Effect.retry({ while: isContended, times: changeRetries })
  )

  const change = trace("Workspaces.change")((id: WorkspaceId, change: WorkspaceChange) =>
    revise(id, (workspace, at) => applyWorkspaceChange(workspace, { at, change })).pipe(
      Effect.catchTag("IllegalTransition", () => Effect.fail(new WorkspaceNotFound({ id })))
    )
  )

  const remove = trace("Workspaces.remove")((id: WorkspaceId) =>
    revise(id, (workspace, at) => Result.succeed(beginDeletion(workspace, at)))
  )

  return {
    /** Renames a workspace, disables it, enables it again, or sets its limits. */
    change,
    /**
     * Begins to delete a workspace. From now on, its keys are refused, and its data is deleted step
     * by step. Its ledger stays. The call is safe to retry.
     */
    remove
  }
})

/** Creates the methods for a workspace's webhook secrets. */
const makeSecrets = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const random = yield* SecureRandom.SecureRandom
  const find = yield* makeFindWorkspace

  const newSecret: Effect.Effect<SecretText> = Effect.provideService(
    generate,
    SecureRandom.SecureRandom,
    random
  )

  const addWebhookSecret = trace("Workspaces.addWebhookSecret")(function* (id: WorkspaceId) {
    yield* find(id)
    const { length } = yield* store.webhookSecrets(id)
    if (length >= secretMax) return yield* new WebhookSecretsFull({ max: secretMax })
    const secret = WebhookSecret.make({
      id: WebhookSecretId.make(yield* random.uuidV7()),
      workspaceId: id,
      secret: yield* newSecret,
      createdAt: yield* DateTime.now
    })
    const isAdded = yield* retryUnknownOutcome(store.addWebhookSecret(secret))
    return isAdded ? secret : yield* new WorkspaceNotFound({ id })
  })

  const removeWebhookSecret = trace("Workspaces.removeWebhookSecret")(function* (
    id: WorkspaceId,
    secretId: WebhookSecretId
  ) {
    const known = yield* store.webhookSecrets(id)
    if (known.every((secret) => secret.id !== secretId)) return false
    // If the secret is missing when the removal is retried, the first try has removed it.
    yield* retryUnknownOutcome(store.removeWebhookSecret(id, secretId))
    return true
  })

  return {
    /** Adds a secret to a workspace. From now on, webhooks are signed with all of its secrets. */
    addWebhookSecret,
    /**
     * Deletes a secret of a workspace. Returns `false` if the workspace has no such secret at the
     * time of the call.
     */
    removeWebhookSecret,
    /**
     * Returns a workspace's own webhook secrets, the oldest first; empty if the default secrets are
     * used.
     */
    webhookSecrets: store.webhookSecrets
  }
})

/**
 * Maximum number of retries after conflicts. A few are enough, because people, not programs, change
 * workspaces.
 */
const changeRetries = 8

const isContended = (error: unknown): boolean => error instanceof WorkspaceContended
