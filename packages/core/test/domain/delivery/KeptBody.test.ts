/** What a later attempt sends is what the first one sent, or another webhook. */
import { assert, describe, it } from "@effect/vitest"
import { FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect, Layer, Option } from "effect"
import { JobStore, JobStoreError } from "#src/ports/JobStore"
import { callback, caller, pass, submit, withCaller } from "../../world/caller.ts"
import { replace } from "../../world/replace.ts"
import { deployment, worker } from "../../world/world.ts"

/** From the second reading on, a transcript reads differently, as it would to a newer version. */
const rereading = (keepsBody: boolean) =>
  replace(JobStore, (store) => {
    let readings = 0
    return {
      keptBody: (id) => (keepsBody ? store.keptBody(id) : Effect.succeed(Option.none())),
      transcript: (id) =>
        Effect.map(store.transcript(id), (found) =>
          readings++ === 0
            ? found
            : Option.map(found, (transcript) => ({ ...transcript, segments: [] }))
        )
    }
  })

/** What a receiver that refuses the first request gets. */
const receivedWith = Effect.fnUntraced(function* (keepsBody: boolean) {
  const principal = yield* caller
  const receiver = yield* FakeWebhookSender
  yield* receiver.behave((_, count) => Effect.succeed(count === 1 ? 500 : 200))
  yield* Layer.build(worker.pipe(Layer.provide(rereading(keepsBody))))
  yield* submit(principal, callback)
  yield* pass(180)
  const posts = yield* receiver.received
  return posts.map(({ body, headers }) => ({ body, id: headers["webhook-id"] }))
})

describe("A webhook that is sent again", () => {
  it.effect("has the bytes that were kept, whatever would be made of its job now", () =>
    Effect.gen(function* () {
      const [first, second, ...further] = yield* receivedWith(true)
      assert.isDefined(first)
      assert.deepStrictEqual(second, first)
      assert.deepStrictEqual(further, [])
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("has another id where nothing was kept, and its bytes would be others", () =>
    Effect.gen(function* () {
      const [first, second] = yield* receivedWith(false)
      assert.isDefined(second)
      assert.notStrictEqual(second?.body, first?.body)
      assert.notStrictEqual(second?.id, first?.id)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("has the bytes that were kept although the store was away before it", () =>
    withCaller(function* (principal) {
      const receiver = yield* FakeWebhookSender
      const store = yield* JobStore
      yield* receiver.behave((_, count) => Effect.succeed(count === 1 ? 500 : 200))
      const refusals: Array<string> = []
      const away = Layer.succeed(JobStore, {
        ...store,
        keptBody: (id) =>
          Effect.suspend(() => {
            if (refusals.length === 3) return store.keptBody(id)
            refusals.push(id)
            return new JobStoreError({
              operation: "keptBody",
              reason: { _tag: "Unavailable", cause: "it is away" }
            })
          }),
        // A body made of the job now is never the same again.
        transcript: (id) =>
          Effect.map(
            store.transcript(id),
            Option.map((transcript) => ({ ...transcript, language: `l${refusals.length}` }))
          )
      })
      yield* Layer.build(worker.pipe(Layer.provide(away)))
      yield* submit(principal, callback)
      yield* pass(200)
      assert.lengthOf(refusals, 3)
      const [first, second, ...further] = yield* receiver.received
      assert.strictEqual(second?.body, first?.body)
      assert.strictEqual(second?.headers["webhook-id"], first?.headers["webhook-id"])
      assert.deepStrictEqual(further, [])
    })
  )
})
