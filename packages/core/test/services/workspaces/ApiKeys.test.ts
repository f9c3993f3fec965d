import { assert, describe, it } from "@effect/vitest"
import { apiKey, apiKeyId, instant, keyHash, upTo } from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { noLimits } from "#src/domain/workspace/Limits"
import { UserId, type WorkspaceId } from "#src/domain/workspace/Workspace"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { ApiKeys, keyMax } from "#src/services/workspaces/ApiKeys"
import {
  acrossTheHour,
  authenticated,
  deployment,
  issued,
  issuedAnew,
  made,
  refusal
} from "./WorkspaceDeployment.ts"

const inAnHour = DateTime.add(instant, { hours: 1 })

describe("a key of a workspace", () => {
  it.effect("authenticates its user, and has its own scopes", () =>
    Effect.gen(function* () {
      const workspace = yield* made("one")
      const scopes = ["presets:read"] as const
      const { key, token } = yield* issued(workspace.id, { kind: "inference", scopes })
      assert.deepStrictEqual(yield* authenticated(token), {
        kind: "inference",
        workspaceId: workspace.id,
        userId: workspace.firstUserId,
        scopes: ["presets:read"],
        keyId: key.id,
        limits: noLimits,
        workspaceLimits: noLimits
      })
      assert.match(Redacted.value(token), /^vbi_[0-9a-f]{48}$/)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is valid until just before its expiry timestamp", () =>
    Effect.gen(function* () {
      const { token } = yield* issuedAnew({ expiresAt: inAnHour })
      assert.deepStrictEqual(yield* acrossTheHour(refusal(token)), ["none", "ApiKeyUnknown"])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is refused if its token is in use or easy to guess", () =>
    Effect.gen(function* () {
      const one = yield* made("one")
      const other = yield* made("other")
      const token = Option.some(Redacted.make("Zk3-_9xQ7mT1vB5nR8wL2pY6cF4hJ0dG"))
      yield* issued(one.id, { token })
      assert.strictEqual(
        (yield* Effect.flip(issued(other.id, { token })))._tag,
        "TokenUnacceptable"
      )
      const guessable = Option.some(Redacted.make("password".repeat(4)))
      const refused = yield* Effect.flip(issued(one.id, { token: guessable }))
      assert.strictEqual(refused._tag, "TokenUnacceptable")
    }).pipe(Effect.provide(deployment))
  )
})

describe("the id of a key's user", () => {
  it.effect("is the same for all keys of a holder, but differs between workspaces", () =>
    Effect.gen(function* () {
      const one = yield* made("one")
      const other = yield* made("other")
      const userOf = (id: WorkspaceId, holder?: string) =>
        Effect.map(issued(id, { holder }), ({ key }) => key.userId)
      const ann = yield* userOf(one.id, "ann")
      assert.strictEqual(yield* userOf(one.id, "ann"), ann)
      assert.isTrue(UserId.make(ann).startsWith("user_"))
      const users = [
        ann,
        yield* userOf(one.id, "bob"),
        yield* userOf(one.id, "Ann"),
        yield* userOf(other.id, "ann"),
        one.firstUserId,
        other.firstUserId
      ]
      assert.strictEqual(new Set(users).size, users.length)
      assert.strictEqual(yield* userOf(one.id), one.firstUserId)
    }).pipe(Effect.provide(deployment))
  )
})

describe("a rotated key", () => {
  it.effect("keeps its expiry, which the new key also gets", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id, ...old } = yield* issuedAnew({ expiresAt: inAnHour })
      const { key } = yield* keys.rotate(id, { keyId: old.key.id, overlap: Duration.days(1) })
      assert.deepStrictEqual(
        (yield* keys.keys(id)).map((each) => [each.id, each.expiresAt]),
        [
          [old.key.id, inAnHour],
          [key.id, inAnHour]
        ]
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect("must be a valid key of the workspace", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* made("one")
      const other = yield* made("other")
      const expired = yield* issued(id, { expiresAt: instant })
      const revoked = yield* issued(id)
      yield* keys.revoke(revoked.key.id)
      const strange = yield* issued(other.id)
      for (const keyId of [expired.key.id, revoked.key.id, strange.key.id, apiKeyId(1)]) {
        const rotation = keys.rotate(id, { keyId, overlap: Duration.hours(1) })
        assert.strictEqual((yield* Effect.flip(rotation))._tag, "KeyNotReplaceable")
      }
      assert.lengthOf(yield* keys.keys(id), 2)
      assert.deepStrictEqual(yield* keys.keys(other.id), [strange.key])
    }).pipe(Effect.provide(deployment))
  )
})

describe("a workspace with the maximum number of keys", () => {
  /** Creates a workspace with the given number of keys; the first one has a known id. */
  const filled = Effect.fnUntraced(function* (count: number) {
    const store = yield* WorkspaceStore
    const { id: workspaceId } = yield* made("full")
    for (const number of upTo(count)) {
      yield* store.addKey({ ...apiKey(number), workspaceId, hash: keyHash(number) })
    }
    return workspaceId
  })

  const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "none" })

  it.effect("cannot get more keys, not even by rotation, but other workspaces can", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const id = yield* filled(keyMax - 1)
      const { key } = yield* issued(id)
      const refused = yield* Effect.flip(issued(id))
      assert.strictEqual(refused._tag === "KeysFull" && refused.max, keyMax)
      const rotation = keys.rotate(id, { keyId: key.id, overlap: Duration.zero })
      assert.strictEqual((yield* Effect.flip(rotation))._tag, "KeysFull")
      assert.lengthOf(yield* keys.keys(id), keyMax)
      const other = yield* made("other")
      assert.strictEqual(yield* tagOf(issued(other.id)), "none")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("gets new keys once old ones have been deleted, 30 days after they end", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const id = yield* filled(keyMax - 1)
      const expiring = yield* issued(id, { expiresAt: inAnHour })
      yield* TestClock.adjust("1 hour")
      yield* keys.revoke(apiKeyId(1))
      yield* keys.revoke(apiKeyId(2))
      yield* TestClock.adjust("10 days")
      yield* keys.revoke(apiKeyId(3))
      yield* TestClock.adjust("20 days")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* tagOf(issued(id)), "none")
      const ids = (yield* keys.keys(id)).map((key) => key.id)
      assert.lengthOf(ids, keyMax - 3 + 1)
      for (const gone of [apiKeyId(1), apiKeyId(2), expiring.key.id]) assert.notInclude(ids, gone)
      assert.include(ids, apiKeyId(3))
    }).pipe(Effect.provide(deployment))
  )
})
