import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@verbatim/core/workspace"
import { upTo } from "@verbatim/testkit/samples"
import { Deferred, Effect, Exit, Fiber, Option, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { type ChunkedText, LargeReads } from "#src/services/jobs/LargeReads"

/** The maximum number of concurrent readers for one long text. */
const readerCount = 120

const pieceCount = 4

const workspace = (number: number) =>
  WorkspaceId.make(`00000000-0000-7000-8000-00000000000${number}`)

/** Counts how many pieces are built at the same time. */
const counting = () => {
  const counts = { underway: 0, most: 0 }
  const making = Effect.fnUntraced(function* () {
    counts.underway += 1
    counts.most = Math.max(counts.most, counts.underway)
    // During this wait, another piece could be built.
    yield* Effect.repeat(Effect.yieldNow, { times: 3 })
    counts.underway -= 1
  })
  return { counts, making }
}

const textOf = (written: ChunkedText<never>): Effect.Effect<string> =>
  written._tag === "Whole" ? Effect.succeed(written.text) : Stream.mkString(written.pieces)

const numbered = (making: () => Effect.Effect<void>, count = pieceCount) => ({
  contentType: "text/plain",
  piece: (position: Option.Option<number>) => {
    const number = Option.getOrElse(position, () => 0)
    const next = number + 1 < count ? Option.some(number + 1) : Option.none()
    return Effect.as(making(), { text: `${number};`, next })
  }
})

const expected = (count: number) => Array.from({ length: count }, (_, at) => `${at};`).join("")

describe("LargeReads", () => {
  it.effect("builds only a few pieces at a time, however many readers wait", () =>
    Effect.gen(function* () {
      const { write } = yield* LargeReads
      const { counts, making } = counting()
      const texts = yield* Effect.forEach(
        Array.from({ length: readerCount }),
        () => Effect.flatMap(write(numbered(making)), textOf),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(texts), new Set([expected(pieceCount)]))
      assert.isAtMost(counts.most, 6)
    }).pipe(Effect.provide(LargeReads.layer))
  )

  it.effect("builds a piece only after the previous one was taken", () =>
    Effect.gen(function* () {
      const { write } = yield* LargeReads
      let made = 0
      const making = () =>
        Effect.sync(() => {
          made += 1
        })
      const written = yield* write(numbered(making))
      assert.strictEqual(made, 1)
      if (written._tag !== "Pieces") return assert.fail("the text is short")
      let taken = 0
      yield* Stream.runForEach(written.pieces, () =>
        Effect.sync(() => {
          taken += 1
          assert.strictEqual(made, taken)
        })
      )
      assert.strictEqual(made, pieceCount)
    }).pipe(Effect.provide(LargeReads.layer))
  )

  it.effect("builds a short text even if all long texts are blocked", () =>
    Effect.gen(function* () {
      const { write } = yield* LargeReads
      const never = Deferred.makeUnsafe<void>()
      const begun = Deferred.makeUnsafe<void>()
      const stuck = {
        ...numbered(() => Effect.void),
        piece: (position: Option.Option<number>) =>
          Option.isNone(position)
            ? Effect.succeed({ text: "", next: Option.some(1) })
            : Deferred.succeed(begun, undefined).pipe(
                Effect.andThen(Deferred.await(never)),
                Effect.as({ text: "", next: Option.none() })
              )
      }
      const long = yield* Effect.forEach(
        Array.from({ length: readerCount }),
        () => Effect.flatMap(write(stuck), textOf),
        { concurrency: "unbounded" }
      ).pipe(Effect.forkChild({ startImmediately: true }))
      yield* Deferred.await(begun)
      // After this, no further piece can be built.
      yield* Effect.repeat(Effect.yieldNow, { times: 10 * readerCount })
      const short = yield* write(numbered(() => Effect.void, 1))
      assert.deepStrictEqual(short, { _tag: "Whole", contentType: "text/plain", text: "0;" })
      yield* Fiber.interrupt(long)
    }).pipe(Effect.provide(LargeReads.layer))
  )

  it.effect("keeps at most two whole texts per workspace until they are sent", () =>
    Effect.gen(function* () {
      const { whole } = yield* LargeReads
      const made: Array<string> = []
      const read = (reader: string, number: number, until: Scope.Scope) =>
        whole(
          { workspaceId: workspace(number), until },
          Effect.sync(() => made.push(reader))
        )
      const scopes = upTo(3).map(() => Scope.makeUnsafe())
      const slow = yield* Effect.forEach(
        scopes,
        (scope, index) => read(`slow ${index + 1}`, 1, scope),
        { concurrency: "unbounded" }
      ).pipe(Effect.forkChild({ startImmediately: true }))
      const gone = yield* read("gone", 1, Scope.makeUnsafe()).pipe(
        Effect.forkChild({ startImmediately: true })
      )
      yield* read("other", 2, Scope.makeUnsafe())
      assert.deepStrictEqual(made, ["slow 1", "slow 2", "other"])
      // A caller that stops waiting frees its slot.
      yield* Fiber.interrupt(gone)
      const [first] = scopes
      if (first !== undefined) yield* Scope.close(first, Exit.void)
      yield* Fiber.join(slow)
      assert.deepStrictEqual(made, ["slow 1", "slow 2", "other", "slow 3"])
      // A waiting caller is refused before its client times out.
      const late = yield* Effect.flip(read("late", 1, Scope.makeUnsafe())).pipe(
        Effect.forkChild({ startImmediately: true })
      )
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(late))._tag, "TooManyReaders")
      assert.notInclude(made, "late")
    }).pipe(Effect.provide(LargeReads.layer))
  )
})
