import { assert, describe, it } from "@effect/vitest"
import { apiKeyId, instant } from "@verbatim/testkit/samples"
import { Effect, Option, Redacted } from "effect"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { OperatorKeys } from "#src/services/workspaces/OperatorKeys"
import { deployment, made } from "./WorkspaceDeployment.ts"

const brought = Redacted.make("Zk3-_9xQ7mT1vB5nR8wL2pY6cF4hJ0dG")

const refusal = (token: Redacted.Redacted) =>
  Effect.flatMap(OperatorKeys, (keys) => keys.authenticate(token)).pipe(
    Effect.as("none"),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )

describe("an operator key", () => {
  it.effect("authenticates by its token, which has a prefix of its own", () =>
    Effect.gen(function* () {
      const keys = yield* OperatorKeys
      const { key, token } = yield* keys.issue({ token: Option.none(), name: "deployment" })
      assert.match(Redacted.value(token), /^vbo_[0-9a-f]{48}$/)
      assert.strictEqual(key.hint, `${Redacted.value(token).slice(0, 8)}…`)
      assert.deepStrictEqual(yield* keys.authenticate(token), key)
      assert.deepStrictEqual(yield* keys.keys, [key])
      assert.strictEqual(key.name, "deployment")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is refused after it was revoked, but still listed", () =>
    Effect.gen(function* () {
      const keys = yield* OperatorKeys
      const { key, token } = yield* keys.issue({ token: Option.none() })
      assert.isTrue(yield* keys.revoke(key.id))
      assert.strictEqual(yield* refusal(token), "OperatorKeyUnknown")
      assert.deepStrictEqual(yield* keys.keys, [{ ...key, revokedAt: instant }])
      assert.isFalse(yield* keys.revoke(apiKeyId(1)))
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is refused if its token is in use or easy to guess", () =>
    Effect.gen(function* () {
      const keys = yield* OperatorKeys
      yield* keys.issue({ token: Option.some(brought) })
      const guessable = Redacted.make("password".repeat(4))
      for (const token of [brought, guessable]) {
        const refused = yield* Effect.flip(keys.issue({ token: Option.some(token) }))
        assert.strictEqual(refused._tag, "TokenUnacceptable")
      }
      assert.strictEqual((yield* Effect.flip(keys.ensure(guessable)))._tag, "TokenUnacceptable")
      assert.lengthOf(yield* keys.keys, 1)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("cannot have the same token as a workspace's key", () =>
    Effect.gen(function* () {
      const operators = yield* OperatorKeys
      const { id } = yield* made("one")
      const token = Option.some(brought)
      yield* Effect.flatMap(ApiKeys, (keys) => keys.issue(id, { kind: "management", token }))
      assert.strictEqual((yield* Effect.flip(operators.ensure(brought)))._tag, "TokenUnacceptable")
      assert.strictEqual((yield* Effect.flip(operators.issue({ token })))._tag, "TokenUnacceptable")
      assert.deepStrictEqual(yield* operators.keys, [])
    }).pipe(Effect.provide(deployment))
  )

  it.effect(
    "is created once if it is supplied at each start, and is not restored once revoked",
    () =>
      Effect.gen(function* () {
        const keys = yield* OperatorKeys
        yield* Effect.all([keys.ensure(brought), keys.ensure(brought)], { concurrency: 2 })
        assert.strictEqual(yield* refusal(brought), "none")
        const [key, ...others] = yield* keys.keys
        assert.deepStrictEqual(others, [])
        yield* keys.revoke(yield* Effect.fromNullishOr(key?.id))
        yield* keys.ensure(brought)
        assert.strictEqual(yield* refusal(brought), "OperatorKeyUnknown")
        assert.lengthOf(yield* keys.keys, 1)
      }).pipe(Effect.provide(deployment))
  )
})
