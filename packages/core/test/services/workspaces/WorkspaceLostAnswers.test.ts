import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import {
  Losses,
  loseOperatorKeyAnswers,
  loseWorkspaceAnswers as losingWorkspaces
} from "@verbatim/testkit/fakes"
import { readLedger } from "@verbatim/testkit/samples"
import { Duration, Effect, Fiber, Layer, Option, type Redacted } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { OperatorKeys } from "#src/services/workspaces/OperatorKeys"
import { Workspaces } from "#src/services/workspaces/Workspaces"

const crypto = Layer.merge(NodeCrypto.layerDigest, NodeCrypto.layerSecureRandom)

const deployment = Layer.merge(ApiKeys.layer, Workspaces.layer).pipe(
  Layer.provideMerge(losingWorkspaces),
  Layer.provide(Memory.layer),
  Layer.provide(crypto)
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
  const [account] = yield* workspaces.accounts({ after: null, limit: 1 })
  const id = yield* Effect.fromNullishOr(account?.workspace.id)
  return { workspaces, issued, id, keys: yield* ApiKeys, store: yield* WorkspaceStore }
})

describe("when the answer to a write of a workspace is lost", () => {
  it.effect("the founding is reported with its keys, once", () =>
    Effect.gen(function* () {
      const { id, issued, keys, store } = yield* founded
      const [key] = Option.getOrElse(issued, () => [])
      const token = yield* Effect.fromNullishOr(key?.token)
      assert.strictEqual((yield* keys.authenticate(token)).workspaceId, id)
      assert.deepStrictEqual(
        (yield* readLedger(store, id)).map(({ millis }) => millis),
        [600 * minuteMillis]
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a credit is booked once, and reported", () =>
    Effect.gen(function* () {
      const { id, store, workspaces } = yield* founded
      const balance = yield* losing("credit", workspaces.credit(id, { minutes: 10 }))
      assert.strictEqual(balance, 610 * minuteMillis)
      assert.lengthOf(yield* readLedger(store, id), 2)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("and no repeat is answered either, the caller's own repeat of a credit is", () =>
    Effect.gen(function* () {
      const { id, store, workspaces } = yield* founded
      const credit = workspaces.credit(id, { minutes: 10, creditId: "0190" })
      const failed = yield* Effect.flip(losing("credit", credit, 4))
      assert.strictEqual(failed._tag, "WorkspaceStoreError")
      assert.strictEqual(yield* credit, 610 * minuteMillis)
      assert.lengthOf(yield* readLedger(store, id), 2)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a key is issued once, and its token returned", () =>
    Effect.gen(function* () {
      const { id, keys } = yield* founded
      const { token } = yield* losing("addKey", keys.issue(id, order))
      assert.strictEqual((yield* keys.authenticate(token)).workspaceId, id)
      assert.lengthOf(yield* keys.keys(id), 2)
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

  it.effect("a key is replaced once, and the token of the new one returned", () =>
    Effect.gen(function* () {
      const { id, keys } = yield* founded
      const { key: old } = yield* keys.issue(id, order)
      const rotation = { keyId: old.id, overlap: Duration.hours(1) }
      const { key, token } = yield* losing("rotateKey", keys.rotate(id, rotation))
      assert.strictEqual((yield* keys.authenticate(token)).keyId, key.id)
      assert.lengthOf(yield* keys.keys(id), 3)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a workspace is made once and returned, also by its external id", () =>
    Effect.gen(function* () {
      const { store, workspaces } = yield* founded
      const order = { name: "Customer 1", externalId: "customer 1" }
      const made = yield* losing("create", workspaces.create(order))
      const ensured = yield* losing("create", workspaces.ensure("customer 2"))
      assert.deepStrictEqual(
        (yield* store.accounts({ after: null, limit: 9 })).slice(1).map((each) => each.workspace),
        [made, ensured]
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a change is made once, and a deletion begun once", () =>
    Effect.gen(function* () {
      const { id, workspaces } = yield* founded
      const change = { name: "renamed", status: "disabled" } as const
      const changed = yield* losing("replace", workspaces.change(id, change))
      assert.deepInclude(changed, { _tag: "Disabled", name: "renamed", revision: 2 })
      assert.deepStrictEqual((yield* workspaces.account(id)).workspace, changed)
      const deleting = yield* losing("replace", workspaces.remove(id))
      assert.deepInclude(deleting, { _tag: "Deleting", revision: 3 })
      assert.deepStrictEqual((yield* workspaces.account(id)).workspace, deleting)
    }).pipe(Effect.provide(deployment))
  )
})

describe("when the answer to a write of an operator key is lost", () => {
  const operators = OperatorKeys.layer.pipe(
    Layer.provideMerge(loseOperatorKeyAnswers),
    Layer.provide(Memory.layer),
    Layer.provide(crypto)
  )

  it.effect("it is issued once, and its token returned", () =>
    Effect.gen(function* () {
      const keys = yield* OperatorKeys
      const { key, token } = yield* losing("add", keys.issue({ token: Option.none() }))
      assert.deepStrictEqual(yield* keys.authenticate(token), key)
      assert.deepStrictEqual(yield* keys.keys, [key])
    }).pipe(Effect.provide(operators))
  )
})
