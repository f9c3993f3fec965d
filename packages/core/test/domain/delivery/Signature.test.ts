/** Tests webhook signatures with the `standardwebhooks` package, which receivers use. */
import { assert, describe, it } from "@effect/vitest"
import { FakeWebhookSender, type Received } from "@verbatim/testkit/fakes"
import { webhookSecret, webhookSecretId, workspaceId } from "@verbatim/testkit/samples"
import { Clock, Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { DefaultSecrets, secretsFrom } from "#src/domain/workspace/WebhookSecret"
import { WorkspaceStore, WorkspaceStoreError } from "#src/ports/WorkspaceStore"
import { attemptDuration } from "#src/services/tasks/Deliveries"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { callback, caller, pass, received, submit } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { deployment, worker } from "../../world/world.ts"

const [first, second] = [webhookSecret(1), webhookSecret(2)].map(({ secret }) =>
  Redacted.value(secret)
) as [string, string]

/** Returns the secrets with which a receiver would accept a request. */
const knownTo = ({ body, headers }: Received, secrets: ReadonlyArray<string>) =>
  secrets.filter((secret) => {
    try {
      new Webhook(secret).verify(body, { ...headers })
      return true
    } catch {
      return false
    }
  })

/** The deployment's clock shows the current time, because receivers check a webhook's timestamp. */
const present = deployment.pipe(
  Layer.provide(
    Layer.effectDiscard(
      Effect.flatMap(TestClock.withLive(Clock.currentTimeMillis), TestClock.setTime)
    )
  )
)

const workerWith = (defaults: string) =>
  worker.pipe(Layer.provide(Layer.succeed(DefaultSecrets, secretsFrom(defaults) ?? [])))

const nextPost = Effect.fnUntraced(function* (principal: Principal) {
  yield* submit(principal, callback)
  yield* pass(2)
  return (yield* received).at(-1) ?? assert.fail("nothing arrived")
})

describe("A webhook's signature", () => {
  it.effect("is missing if there is no secret", () =>
    Effect.gen(function* () {
      const post = yield* nextPost(yield* caller)
      assert.notProperty(post.headers, "webhook-signature")
      assert.property(post.headers, "webhook-id")
      assert.property(post.headers, "webhook-timestamp")
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(deployment))))
  )

  it.effect("is made with each default secret, and differs between attempts", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const receiver = yield* FakeWebhookSender
      yield* receiver.behave((_, ordinal) => Effect.succeed(ordinal < 3 ? 500 : 200))
      yield* submit(principal, callback)
      yield* pass(150)
      const posts = yield* receiver.received
      assert.strictEqual(posts.length, 3)
      for (const post of posts) {
        assert.deepStrictEqual(knownTo(post, [first, second]), [first, second])
        const forged = { ...post, body: post.body.replace("TRANSCRIBED", "COMPLETED") }
        assert.deepStrictEqual(knownTo(forged, [first, second]), [])
      }
      const of = (name: string) => new Set(posts.map(({ headers }) => headers[name]))
      assert.strictEqual(of("webhook-id").size, 1)
      assert.strictEqual(of("webhook-timestamp").size, 3)
      assert.strictEqual(of("webhook-signature").size, 3)
    }).pipe(Effect.provide(workerWith(`${first} ${second}`).pipe(Layer.provideMerge(present))))
  )

  it.effect("uses only a workspace's own secrets, and all of them during a rotation", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const { workspaceId: id } = principal
      const workspaces = yield* Workspaces
      const known = Effect.fnUntraced(function* (secrets: ReadonlyArray<string>) {
        return knownTo(yield* nextPost(principal), [first, ...secrets])
      })
      assert.deepStrictEqual(yield* known([]), [first])
      const [old, next] = [
        yield* workspaces.addWebhookSecret(id),
        yield* workspaces.addWebhookSecret(id)
      ]
      const texts = [old, next].map(({ secret }) => Redacted.value(secret))
      assert.deepStrictEqual(yield* known(texts), texts)
      assert.isTrue(yield* workspaces.removeWebhookSecret(id, old.id))
      assert.deepStrictEqual(yield* known(texts), texts.slice(1))
      assert.isTrue(yield* workspaces.removeWebhookSecret(id, next.id))
      assert.deepStrictEqual(yield* known(texts), [first])
    }).pipe(Effect.provide(workerWith(first).pipe(Layer.provideMerge(present))))
  )

  it.effect("is not made if a default secret is malformed, and the error hides that secret", () =>
    Effect.gen(function* () {
      const misspelt = Layer.succeed(DefaultSecrets, [Redacted.make("whsec_hush")])
      const exit = yield* Effect.exit(Layer.build(worker.pipe(Layer.provide(misspelt))))
      assert.isTrue(Exit.isFailure(exit))
      assert.include(String(exit), "a default webhook secret is malformed")
      assert.notInclude(String(exit), "hush")
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("uses at most eight secrets per workspace, and none for an unknown workspace", () =>
    Effect.gen(function* () {
      const { workspaceId: id } = yield* caller
      const workspaces = yield* Workspaces
      yield* Effect.forEach(Array(8), () => workspaces.addWebhookSecret(id))
      const full = yield* Effect.flip(workspaces.addWebhookSecret(id))
      assert.strictEqual(full._tag, "WebhookSecretsFull")
      const stray = yield* Effect.flip(workspaces.addWebhookSecret(workspaceId(7)))
      assert.strictEqual(stray._tag, "WorkspaceNotFound")
      assert.isFalse(yield* workspaces.removeWebhookSecret(id, webhookSecretId(1)))
    }).pipe(Effect.provide(deployment))
  )

  it.effect.each([
    ["fails", Effect.fail(new WorkspaceStoreError({ operation: "webhookSecrets", cause: "down" }))],
    ["hangs", Effect.never]
  ] as const)("delays a webhook while the store that holds the secrets %s", ([, answer]) =>
    Effect.gen(function* () {
      const principal = yield* caller
      let questions = 0
      const sick = replace(WorkspaceStore, (store) => ({
        webhookSecrets: (id) =>
          Effect.suspend(() => (questions++ === 0 ? answer : store.webhookSecrets(id)))
      }))
      yield* Layer.build(workerWith(first).pipe(Layer.provide(sick)))
      yield* submit(principal, callback)
      yield* pass(1)
      assert.deepStrictEqual(yield* received, [])
      yield* TestClock.adjust(attemptDuration)
      yield* pass(4)
      const posts = yield* received
      assert.deepStrictEqual(
        posts.map((post) => knownTo(post, [first])),
        [[first]]
      )
    }).pipe(Effect.scoped, Effect.provide(present))
  )
})
