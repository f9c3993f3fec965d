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

/** Runs a call while this many responses of a method are lost. */
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

type Founded = Effect.Success<typeof founded>

/** Each write, with the number of records that exist afterwards. */
const writes: ReadonlyArray<{
  readonly title: string
  readonly method: string
  readonly write: (world: Founded) => Effect.Effect<unknown, unknown>
  readonly count: (world: Founded) => Effect.Effect<number, unknown>
  readonly expected: number
}> = [
  {
    title: "a credit is booked once",
    method: "credit",
    write: ({ id, workspaces }) => workspaces.credit(id, { minutes: 10 }),
    count: ({ id, store }) => Effect.map(readLedger(store, id), ({ length }) => length),
    expected: 2
  },
  {
    title: "a key is issued once",
    method: "addKey",
    write: ({ id, keys }) =>
      Effect.flatMap(keys.issue(id, order), (issued) => keys.authenticate(issued.token)),
    count: ({ id, keys }) => Effect.map(keys.keys(id), ({ length }) => length),
    expected: 2
  },
  {
    title: "a secret is created once",
    method: "addWebhookSecret",
    write: ({ id, workspaces }) => workspaces.addWebhookSecret(id),
    count: ({ id, workspaces }) =>
      Effect.map(workspaces.webhookSecrets(id), ({ length }) => length),
    expected: 1
  },
  {
    title: "a workspace is created once",
    method: "create",
    write: ({ workspaces }) => workspaces.create({ name: "Customer 1", externalId: "customer 1" }),
    count: ({ store }) =>
      Effect.map(store.accounts({ after: null, limit: 9 }), ({ length }) => length),
    expected: 2
  },
  {
    title: "a change is made once",
    method: "replace",
    write: ({ id, workspaces }) => workspaces.change(id, { name: "renamed" }),
    count: ({ id, workspaces }) =>
      Effect.map(workspaces.account(id), ({ workspace }) => workspace.revision),
    expected: 2
  }
]

describe("when the response to a workspace write is lost", () => {
  for (const { count, expected, method, title, write } of writes) {
    it.effect(`${title}, and its caller gets the result`, () =>
      Effect.gen(function* () {
        const world = yield* founded
        yield* losing(method, write(world))
        assert.strictEqual(yield* count(world), expected)
      }).pipe(Effect.provide(deployment))
    )
  }

  it.effect("the first workspace is created once, and its keys are returned", () =>
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

  it.effect(
    "a credit can be retried even if the responses to the service's own retries are lost too",
    () =>
      Effect.gen(function* () {
        const { id, store, workspaces } = yield* founded
        const credit = workspaces.credit(id, { minutes: 10, creditId: "0190" })
        const failed = yield* Effect.flip(losing("credit", credit, 4))
        assert.strictEqual(failed._tag, "WorkspaceStoreError")
        assert.strictEqual(yield* credit, 610 * minuteMillis)
        assert.lengthOf(yield* readLedger(store, id), 2)
      }).pipe(Effect.provide(deployment))
  )

  it.effect("a key is replaced once, and the new key's token is returned", () =>
    Effect.gen(function* () {
      const { id, keys } = yield* founded
      const { key: old } = yield* keys.issue(id, order)
      const rotation = { keyId: old.id, overlap: Duration.hours(1) }
      const { key, token } = yield* losing("rotateKey", keys.rotate(id, rotation))
      assert.strictEqual((yield* keys.authenticate(token)).keyId, key.id)
      assert.lengthOf(yield* keys.keys(id), 3)
    }).pipe(Effect.provide(deployment))
  )
})

describe("when the response to an operator key write is lost", () => {
  const operators = OperatorKeys.layer.pipe(
    Layer.provideMerge(loseOperatorKeyAnswers),
    Layer.provide(Memory.layer),
    Layer.provide(crypto)
  )

  it.effect("the key is issued once, and its token is returned", () =>
    Effect.gen(function* () {
      const keys = yield* OperatorKeys
      const { key, token } = yield* losing("add", keys.issue({ token: Option.none() }))
      assert.deepStrictEqual(yield* keys.authenticate(token), key)
      assert.deepStrictEqual(yield* keys.keys, [key])
    }).pipe(Effect.provide(operators))
  )
})
