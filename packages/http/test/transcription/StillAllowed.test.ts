/** Those who listen are asked for again: together by their key, and each for itself otherwise. */
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { Workspaces } from "@verbatim/core/services"
import { Authenticator, AuthenticatorError, Unauthenticated } from "@verbatim/http"
import { upTo, userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { makeUntilRefused } from "#src/serve/transcription/StillAllowed"

const workspaces = Workspaces.layer.pipe(
  Layer.provide(Layer.mergeAll(Memory.layer, NodeCrypto.layerDigest, NodeCrypto.layerSecureRandom))
)

/** Who listens. */
const listener = {
  kind: "inference",
  workspaceId: workspaceId(1),
  userId: userId(1),
  workspaceLimits: { requestsPerSecond: null, unfinishedJobs: null, minutesPerDay: null }
} as const

type Answer = Effect.Effect<typeof listener, AuthenticatorError | Unauthenticated>

const allowed: Answer = Effect.succeed(listener)
const refused: Answer = Effect.fail(new Unauthenticated({ reason: "Unknown" }))
const away: Answer = Effect.fail(new AuthenticatorError({ cause: "a test" }))

/** Listeners, and whoever is asked about them. */
const makeListening = (more: { readonly isByCredential?: boolean }) => {
  const asked: Array<string> = []
  const answers = new Map<string, Answer>()
  const authenticator = Layer.succeed(Authenticator, {
    ...more,
    identify: ({ credential }) =>
      Effect.suspend(() => {
        const token = Redacted.value(credential)
        asked.push(token)
        return answers.get(token) ?? allowed
      })
  })
  return { answers, asked, layer: Layer.merge(authenticator, workspaces) }
}

/** Five hundred listen with a token. */
const listen = (untilRefused: Effect.Success<typeof makeUntilRefused>, token: string) =>
  Effect.forEach(upTo(500), () => {
    const headers = new Headers(token === "" ? {} : { authorization: `Bearer ${token}` })
    const request = new Request("http://localhost/v1/transcriptions/events", { headers })
    return Effect.forkScoped(untilRefused(HttpServerRequest.fromWeb(request)))
  })

const leftOf = (fibers: ReadonlyArray<Fiber.Fiber<void>>) =>
  fibers.filter((fiber) => fiber.pollUnsafe() === undefined).length

describe("Those who listen", () => {
  it.effect("are asked for together where they show the same key", () => {
    const { answers, asked, layer } = makeListening({ isByCredential: true })
    return Effect.gen(function* () {
      const untilRefused = yield* makeUntilRefused
      const ofAna = yield* listen(untilRefused, "ana")
      const ofBea = yield* listen(untilRefused, "bea")
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(asked.length, 8)
      assert.deepStrictEqual(new Set(asked), new Set(["ana", "bea"]))
      answers.set("ana", refused)
      answers.set("bea", away)
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual([leftOf(ofAna), leftOf(ofBea)], [0, 500])
      yield* Fiber.interruptAll(ofBea)
      asked.length = 0
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(asked, [])
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  const kinds = [{ isByCredential: true }, { isByCredential: false }]
  it.effect.each(kinds)("are asked for again when nobody answers: %o", (kind) => {
    const { answers, layer } = makeListening(kind)
    return Effect.gen(function* () {
      const all = yield* listen(yield* makeUntilRefused, "ana")
      answers.set("ana", Effect.never)
      yield* TestClock.adjust("45 seconds")
      assert.strictEqual(leftOf(all), 500)
      answers.set("ana", refused)
      yield* TestClock.adjust("45 seconds")
      assert.strictEqual(leftOf(all), 0)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("are asked for one by one where a key does not tell", () => {
    const { answers, asked, layer } = makeListening({})
    return Effect.gen(function* () {
      const all = yield* listen(yield* makeUntilRefused, "ana")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(asked.length, 500)
      answers.set("ana", Effect.die("a test"))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(leftOf(all), 500)
      answers.set("ana", refused)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(leftOf(all), 0)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})
