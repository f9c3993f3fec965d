/**
 * Tests that a key's running requests and unread responses never take more memory than the key's
 * budget, and that they release all of it in the end.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Schema } from "effect"
import {
  AnswerBudget,
  type AnswerLimits,
  type KeyQueue,
  makeKeyQueue
} from "#src/serve/auth/KeyShare"

const patience = Duration.seconds(20)

const limits: AnswerLimits = { reservedBytes: 2, maxKeyBytes: 8, maxTotalBytes: 20, patience }

const Request = Schema.Struct({
  key: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  /** The size of the response, which fits into the reservation. */
  answerBytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
  turns: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })),
  end: Schema.Literals(["Sent", "Failed", "Aborted"]),
  /** Whether the request becomes idle while it is handled. */
  isIdle: Schema.Boolean
})
type Request = typeof Request.Type

const turns = (count: number) => Effect.repeat(Effect.yieldNow, { times: count })

describe("the budget for responses", () => {
  it.effect.prop(
    "stays within its limits, and is released in full however a request ends",
    [Schema.Array(Request).check(Schema.isMaxLength(40))],
    ([requests]) =>
      Effect.gen(function* () {
        const budget = new AnswerBudget(limits)
        const keys = [0, 1, 2, 3].map((key) => makeKeyQueue(String(key)))
        const judge = () => {
          const held = keys.map(({ heldBytes }) => heldBytes)
          assert.isTrue(held.every((bytes) => bytes >= 0 && bytes <= limits.maxKeyBytes))
          assert.strictEqual(
            held.reduce((sum, bytes) => sum + bytes, 0),
            budget.heldBytes()
          )
          // Each key can make one reservation even if the others have used up the total.
          assert.isAtMost(
            budget.heldBytes(),
            limits.maxTotalBytes + keys.length * limits.reservedBytes
          )
        }
        const run = Effect.fnUntraced(function* ({
          answerBytes,
          end,
          isIdle,
          key,
          ...rest
        }: Request) {
          const queue: KeyQueue = keys[key] ?? makeKeyQueue("none")
          const reservation = budget.makeReservation(queue)
          const work = Effect.gen(function* () {
            yield* reservation.enter
            judge()
            if (isIdle) {
              yield* reservation.hold(0)
              yield* turns(rest.turns)
              yield* reservation.enterAgain
              judge()
            }
            yield* turns(rest.turns)
            if (end === "Failed") return yield* Effect.fail("failed")
            yield* reservation.hold(answerBytes)
            judge()
            yield* turns(rest.turns)
          })
          return yield* Effect.ensuring(Effect.ignore(work), reservation.hold(0))
        })
        const fibers = yield* Effect.forEach(requests, (request) =>
          Effect.tap(Effect.forkChild(run(request)), () => turns(request.turns % 2))
        )
        // Some clients disconnect: while they wait, while their request is handled, or before they
        // have read the response.
        yield* Effect.forEach(fibers, (fiber, index) =>
          requests[index]?.end === "Aborted" ? Fiber.interrupt(fiber) : Effect.void
        )
        yield* Effect.forEach(fibers, Fiber.await)
        judge()
        assert.strictEqual(budget.heldBytes(), 0)
        assert.isTrue(keys.every(({ waiting }) => waiting.size === 0))
      })
  )

  it.effect("is given to the waiting keys in turn", () =>
    Effect.gen(function* () {
      const budget = new AnswerBudget({
        reservedBytes: 1,
        maxKeyBytes: 1,
        maxTotalBytes: 10,
        patience
      })
      const begun: Array<string> = []
      const mayEnd = yield* Deferred.make<void>()
      const run = (key: KeyQueue) =>
        Effect.gen(function* () {
          const reservation = budget.makeReservation(key)
          yield* reservation.enter
          begun.push(key.name)
          yield* Deferred.await(mayEnd)
          yield* reservation.hold(0)
        })
      const [greedy, modest] = [makeKeyQueue("greedy"), makeKeyQueue("modest")]
      const many = yield* Effect.forkChild(
        Effect.forEach(Array(20).keys(), () => run(greedy), { concurrency: "unbounded" })
      )
      yield* turns(3)
      const few = yield* Effect.forkChild(
        Effect.forEach(Array(3).keys(), () => run(modest), { concurrency: "unbounded" })
      )
      yield* turns(3)
      // The first request of each key does not wait.
      assert.deepStrictEqual(begun, ["greedy", "modest"])
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(few)
      yield* Fiber.join(many)
      const between = begun.slice(0, begun.lastIndexOf("modest"))
      assert.isAtMost(between.filter((name) => name === "greedy").length, 4)
    })
  )
})
