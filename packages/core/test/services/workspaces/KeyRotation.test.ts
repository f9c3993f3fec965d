import { assert, describe, it } from "@effect/vitest"
import { apiKeyId, instant } from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import {
  acrossTheHour,
  deployment,
  issued,
  issuedAnew,
  made,
  refusal
} from "./WorkspaceDeployment.ts"

const refusals = (...tokens: ReadonlyArray<Redacted.Redacted>) => Effect.forEach(tokens, refusal)

const inAnHour = DateTime.add(instant, { hours: 1 })

describe("a rotated key", () => {
  it.effect("stays valid for a while next to the new key, which has the same settings", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id, ...old } = yield* issuedAnew({
        name: "ci",
        holder: "ann",
        scopes: ["presets:read"]
      })
      yield* TestClock.adjust("1 minute")
      const rotation = { keyId: old.key.id, overlap: Duration.hours(1) }
      const { key, token } = yield* keys.rotate(id, rotation)
      assert.notStrictEqual(Redacted.value(token), Redacted.value(old.token))
      const { createdAt, hash, hint, id: keyId } = key
      assert.deepStrictEqual(key, { ...old.key, createdAt, hash, hint, id: keyId })
      assert.deepStrictEqual(createdAt, DateTime.add(instant, { minutes: 1 }))
      assert.deepStrictEqual(yield* acrossTheHour(refusals(old.token, token)), [
        ["none", "none"],
        ["ApiKeyUnknown", "none"]
      ])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("keeps its expiry, and passes it on to the new key", () =>
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

  it.effect("must belong to the workspace and be valid", () =>
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
