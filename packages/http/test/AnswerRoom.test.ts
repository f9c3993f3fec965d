/** Work and unread answers of a key stay within its room, and all of it comes back. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Schema } from "effect"
import {
  type AnswerLimits,
  AnswerRoom,
  type KeyQueue,
  makeKeyQueue
} from "#src/serve/auth/KeyShare"

const patience = Duration.seconds(20)

const limits: AnswerLimits = { placeBytes: 2, keyBytesMax: 8, allBytesMax: 20, patience }

const Request = Schema.Struct({
  key: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  /** What its answer has; none is larger than a place in these runs. */
  answerBytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
  turns: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })),
  end: Schema.Literals(["Sent", "Failed", "Aborted"]),
  /** Whether it becomes idle in the middle of its work. */
  isIdle: Schema.Boolean
})
type Request = typeof Request.Type

const turns = (count: number) => Effect.repeat(Effect.yieldNow, { times: count })

describe("the room of answers", () => {
  it.effect.prop(
    "is never negative nor exceeded, and comes back however requests end",
    [Schema.Array(Request).check(Schema.isMaxLength(40))],
    ([requests]) =>
      Effect.gen(function* () {
        const room = new AnswerRoom(limits)
        const keys = [0, 1, 2, 3].map((key) => makeKeyQueue(String(key)))
        const judge = () => {
          const held = keys.map(({ heldBytes }) => heldBytes)
          assert.isTrue(held.every((bytes) => bytes >= 0 && bytes <= limits.keyBytesMax))
          assert.strictEqual(
            held.reduce((sum, bytes) => sum + bytes, 0),
            room.heldBytes()
          )
          // Each key has one place, whatever the others hold.
          assert.isAtMost(room.heldBytes(), limits.allBytesMax + keys.length * limits.placeBytes)
        }
        const run = Effect.fnUntraced(function* ({
          answerBytes,
          end,
          isIdle,
          key,
          ...rest
        }: Request) {
          const queue: KeyQueue = keys[key] ?? makeKeyQueue("none")
          const place = room.makePlace(queue)
          const work = Effect.gen(function* () {
            yield* place.enter
            judge()
            if (isIdle) {
              yield* place.hold(0)
              yield* turns(rest.turns)
              yield* place.enterAgain
              judge()
            }
            yield* turns(rest.turns)
            if (end === "Failed") return yield* Effect.fail("failed")
            yield* place.hold(answerBytes)
            judge()
            yield* turns(rest.turns)
          })
          return yield* Effect.ensuring(Effect.ignore(work), place.hold(0))
        })
        const fibers = yield* Effect.forEach(requests, (request) =>
          Effect.tap(Effect.forkChild(run(request)), () => turns(request.turns % 2))
        )
        // Some clients leave while they wait, at work, or before they have read.
        yield* Effect.forEach(fibers, (fiber, index) =>
          requests[index]?.end === "Aborted" ? Fiber.interrupt(fiber) : Effect.void
        )
        yield* Effect.forEach(fibers, Fiber.await)
        judge()
        assert.strictEqual(room.heldBytes(), 0)
        assert.isTrue(keys.every(({ waiting }) => waiting.size === 0))
      })
  )

  it.effect("lets keys that wait begin in turn", () =>
    Effect.gen(function* () {
      const room = new AnswerRoom({ placeBytes: 1, keyBytesMax: 1, allBytesMax: 10, patience })
      const begun: Array<string> = []
      const mayEnd = yield* Deferred.make<void>()
      const ask = (key: KeyQueue) =>
        Effect.gen(function* () {
          const place = room.makePlace(key)
          yield* place.enter
          begun.push(key.name)
          yield* Deferred.await(mayEnd)
          yield* place.hold(0)
        })
      const [greedy, modest] = [makeKeyQueue("greedy"), makeKeyQueue("modest")]
      const many = yield* Effect.forkChild(
        Effect.forEach(Array(20).keys(), () => ask(greedy), { concurrency: "unbounded" })
      )
      yield* turns(3)
      const few = yield* Effect.forkChild(
        Effect.forEach(Array(3).keys(), () => ask(modest), { concurrency: "unbounded" })
      )
      yield* turns(3)
      // Its first request does not wait.
      assert.deepStrictEqual(begun, ["greedy", "modest"])
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(few)
      yield* Fiber.join(many)
      const between = begun.slice(0, begun.lastIndexOf("modest"))
      assert.isAtMost(between.filter((name) => name === "greedy").length, 4)
    })
  )
})
