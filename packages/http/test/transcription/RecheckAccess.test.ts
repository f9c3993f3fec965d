/**
 * Tests that subscribers are identified again: together if they have the same key, otherwise one by
 * one.
 */
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { Workspaces } from "@verbatim/core/services"
import { Authenticator, AuthenticatorError, Unauthenticated } from "@verbatim/http"
import { upTo, userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { makeAwaitRefusal } from "#src/serve/transcription/RecheckAccess"

const workspaces = Workspaces.layer.pipe(
  Layer.provide(Layer.mergeAll(Memory.layer, NodeCrypto.layerDigest, NodeCrypto.layerSecureRandom))
)

const listener = {
  kind: "inference",
  workspaceId: workspaceId(1),
  userId: userId(1),
  workspaceLimits: { requestsPerSecond: null, unfinishedJobs: null, minutesPerDay: null }
} as const

type Answer = Effect.Effect<typeof listener, AuthenticatorError | Unauthenticated>

const allowed: Answer = Effect.succeed(listener)
const refused: Answer = Effect.fail(new Unauthenticated({ reason: "Unknown" }))
const unavailable: Answer = Effect.fail(new AuthenticatorError({ cause: "a test" }))

/** Creates an authenticator, and records which tokens it identifies. */
const makeAuthenticator = (more: { readonly isByCredential?: boolean }) => {
  const identified: Array<string> = []
  const answers = new Map<string, Answer>()
  const authenticator = Layer.succeed(Authenticator, {
    ...more,
    identify: ({ credential }) =>
      Effect.suspend(() => {
        const token = Redacted.value(credential)
        identified.push(token)
        return answers.get(token) ?? allowed
      })
  })
  return { answers, identified, layer: Layer.merge(authenticator, workspaces) }
}

/** Starts five hundred subscribers with the same token. */
const listen = (awaitRefusal: Effect.Success<typeof makeAwaitRefusal>, token: string) =>
  Effect.forEach(upTo(500), () => {
    const headers = new Headers(token === "" ? {} : { authorization: `Bearer ${token}` })
    const request = new Request("http://localhost/v1/transcriptions/events", { headers })
    return Effect.forkScoped(awaitRefusal(HttpServerRequest.fromWeb(request)))
  })

const countWaiting = (fibers: ReadonlyArray<Fiber.Fiber<void>>) =>
  fibers.filter((fiber) => fiber.pollUnsafe() === undefined).length

describe("subscribers", () => {
  it.effect("are identified together if they have the same key", () => {
    const { answers, identified, layer } = makeAuthenticator({ isByCredential: true })
    return Effect.gen(function* () {
      const awaitRefusal = yield* makeAwaitRefusal
      const withAna = yield* listen(awaitRefusal, "ana")
      const withBea = yield* listen(awaitRefusal, "bea")
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(identified.length, 8)
      assert.deepStrictEqual(new Set(identified), new Set(["ana", "bea"]))
      answers.set("ana", refused)
      answers.set("bea", unavailable)
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual([countWaiting(withAna), countWaiting(withBea)], [0, 500])
      yield* Fiber.interruptAll(withBea)
      identified.length = 0
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(identified, [])
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  const kinds = [{ isByCredential: true }, { isByCredential: false }]
  it.effect.each(kinds)("are identified again if an earlier check got no answer: %o", (kind) => {
    const { answers, layer } = makeAuthenticator(kind)
    return Effect.gen(function* () {
      const all = yield* listen(yield* makeAwaitRefusal, "ana")
      answers.set("ana", Effect.never)
      yield* TestClock.adjust("45 seconds")
      assert.strictEqual(countWaiting(all), 500)
      answers.set("ana", refused)
      yield* TestClock.adjust("45 seconds")
      assert.strictEqual(countWaiting(all), 0)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("are identified individually if a key alone does not identify them", () => {
    const { answers, identified, layer } = makeAuthenticator({})
    return Effect.gen(function* () {
      const all = yield* listen(yield* makeAwaitRefusal, "ana")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(identified.length, 500)
      answers.set("ana", Effect.die("a test"))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(countWaiting(all), 500)
      answers.set("ana", refused)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(countWaiting(all), 0)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})
