import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { Losses, loseWorkspaceAnswers as losingWorkspaces } from "@verbatim/testkit/fakes"
import { Effect, Fiber, Layer, Option, type Redacted } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Workspaces } from "#src/services/Workspaces"

const deployment = Workspaces.layer.pipe(
  Layer.provideMerge(losingWorkspaces),
  Layer.provide(Memory.layer),
  Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerSecureRandom])
)

const minuteMillis = 60_000

const order = { kind: "management" as const, token: Option.none<Redacted.Redacted>() }

/** Runs a call while this many answers to a method are lost. */
const losing = Effect.fnUntraced(function* <A, E, R>(
  method: string,
  call: Effect.Effect<A, E, R>,
  count = 1
) {
  yield* Effect.flatMap(Losses, ({ lose }) => lose(method, count))
  const running = yield* Effect.forkChild(call)
  yield* TestClock.adjust("1 minute")
  return yield* Fiber.join(running)
})

const founded = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const issued = yield* losing("found", workspaces.found({ keys: [order], minutes: 600 }))
  const [account] = yield* workspaces.accounts
  const id = yield* Effect.fromNullishOr(account?.workspace.id)
  return { workspaces, issued, id, store: yield* WorkspaceStore }
})

describe("when the answer to a write of a workspace is lost", () => {
  it.effect("the founding is reported with its keys, once", () =>
    Effect.gen(function* () {
      const { id, issued, store, workspaces } = yield* founded
      const [key] = Option.getOrElse(issued, () => [])
      const token = yield* Effect.fromNullishOr(key?.token)
      assert.strictEqual((yield* workspaces.authenticate(token)).workspaceId, id)
      assert.deepStrictEqual(yield* store.ledger(id), [{ millis: 600 * minuteMillis }])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a credit is booked once, and reported", () =>
    Effect.gen(function* () {
      const { id, store, workspaces } = yield* founded
      const balance = yield* losing("credit", workspaces.credit(id, { minutes: 10 }))
      assert.strictEqual(balance, 610 * minuteMillis)
      assert.lengthOf(yield* store.ledger(id), 2)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("and no repeat is answered either, the caller's own repeat of a credit is", () =>
    Effect.gen(function* () {
      const { id, store, workspaces } = yield* founded
      const credit = workspaces.credit(id, { minutes: 10, creditId: "0190" })
      const failed = yield* Effect.flip(losing("credit", credit, 4))
      assert.strictEqual(failed._tag, "WorkspaceStoreError")
      assert.strictEqual(yield* credit, 610 * minuteMillis)
      assert.lengthOf(yield* store.ledger(id), 2)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a key is issued once, and its token returned", () =>
    Effect.gen(function* () {
      const { id, workspaces } = yield* founded
      const { token } = yield* losing("addKey", workspaces.issueKey(id, order))
      assert.strictEqual((yield* workspaces.authenticate(token)).workspaceId, id)
      assert.lengthOf(yield* workspaces.keys, 2)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a key is reported as revoked", () =>
    Effect.gen(function* () {
      const { workspaces } = yield* founded
      const [key] = yield* workspaces.keys
      const id = yield* Effect.fromNullishOr(key?.id)
      assert.isTrue(yield* losing("revokeKey", workspaces.revokeKey(id)))
      assert.isTrue(yield* workspaces.revokeKey(id))
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a secret is made once and returned, and its removal is reported", () =>
    Effect.gen(function* () {
      const { id, workspaces } = yield* founded
      const secret = yield* losing("addWebhookSecret", workspaces.addWebhookSecret(id))
      assert.deepStrictEqual(yield* workspaces.webhookSecrets(id), [secret])
      const removal = workspaces.removeWebhookSecret(id, secret.id)
      assert.isTrue(yield* losing("removeWebhookSecret", removal))
      assert.deepStrictEqual(yield* workspaces.webhookSecrets(id), [])
      assert.isFalse(yield* removal)
    }).pipe(Effect.provide(deployment))
  )
})
