/**
 * Calls that may be repeats, from callers who may have no new job: what they cost, and whom they
 * keep waiting.
 */
import { assert, describe, it } from "@effect/vitest"
import { jobId, upTo } from "@verbatim/testkit/samples"
import { Effect, Fiber, Latch, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import type { IdempotencyKey } from "#src/domain/idempotency/IdempotencyKey"
import { noLimits } from "#src/domain/workspace/Limits"
import { JobStore } from "#src/ports/JobStore"
import { Jobs } from "#src/services/jobs/Jobs"
import { caller } from "../../world/caller.ts"
import { replace } from "../../world/replace.ts"
import { front, outside } from "../../world/world.ts"
import { another, call, callUnread, makeSlow, run, short, spend, stored } from "./RepeatWorld.ts"

describe("a caller who may have no new job", () => {
  it.effect("is refused before anything is read, where there is nothing to join", () =>
    run(
      Effect.fnUntraced(function* () {
        const principal = yield* caller
        yield* spend(principal)
        assert.strictEqual((yield* Effect.flip(callUnread(principal)))._tag, "InsufficientBalance")
      })
    )
  )

  it.effect("is refused so, too, where only another key or an older day has a job", () =>
    run(
      Effect.fnUntraced(function* () {
        const principal = yield* caller
        const other = yield* another(principal)
        yield* call(principal, short(1))
        yield* spend(principal)
        assert.strictEqual((yield* Effect.flip(callUnread(other)))._tag, "InsufficientBalance")
        yield* TestClock.adjust("24 hours")
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* Effect.flip(callUnread(principal)))._tag, "InsufficientBalance")
      })
    )
  )

  it.effect("joins its job behind a hundred of others, of which it has none", () =>
    run(
      Effect.fnUntraced(function* () {
        const principal = yield* caller
        const poor = yield* another(principal)
        const first = yield* call(poor, short(200))
        yield* Effect.forEach(upTo(100), (index) => call(principal, short(index)))
        yield* spend(principal)
        assert.strictEqual((yield* call(poor, short(200))).id, first.id)
        const other = yield* another(principal)
        // Nothing shows that it has made none: its file is read, and is no repeat.
        assert.strictEqual(
          (yield* Effect.flip(call(other, short(200))))._tag,
          "InsufficientBalance"
        )
      })
    )
  )

  it.effect("joins its jobs, and stores nothing for that", () =>
    run(
      Effect.fnUntraced(function* (counts) {
        const principal = yield* caller
        const first = yield* call(principal, short(1), { language: "en" })
        yield* spend(principal)
        const before = counts.bytes
        const again = yield* call(principal, short(1), { language: "en" })
        assert.strictEqual(again.id, first.id)
        const others = [call(principal, short(9), { language: "en" }), call(principal, short(1))]
        for (const other of others) {
          assert.strictEqual((yield* Effect.flip(other))._tag, "InsufficientBalance")
        }
        assert.strictEqual(counts.bytes, before)
        assert.lengthOf(yield* stored, 1)
      })
    )
  )

  it.effect("is not let in by a limit that is free again while its file is read", () =>
    run(
      Effect.fnUntraced(function* (counts) {
        const limits = { ...noLimits, unfinishedJobs: 1 }
        const principal = { ...(yield* caller), limits }
        const { id } = yield* call(principal, short(1))
        const before = counts.bytes
        const { content, counts: read, end } = yield* makeSlow
        const going = yield* Effect.forkChild(Effect.flip(call(principal, content)), {
          startImmediately: true
        })
        assert.strictEqual(read.begun, 1)
        yield* Effect.flatMap(Jobs, (jobs) => jobs.remove(principal, id))
        yield* end
        assert.strictEqual((yield* Fiber.join(going))._tag, "LimitReached")
        assert.strictEqual(counts.bytes, before)
        assert.isString((yield* call(principal, content)).id)
      })
    )
  )

  it.effect("sends no more bytes than a file may have", () =>
    run(
      Effect.fnUntraced(function* (counts) {
        const principal = yield* caller
        yield* call(principal, short(1))
        yield* spend(principal)
        const before = counts.bytes
        const megabyte = new Uint8Array(1_048_576)
        const endless = Stream.forever(Stream.succeed(megabyte))
        const refusal = yield* Effect.flip(call(principal, endless))
        assert.strictEqual(refusal._tag, "FileTooLarge")
        assert.strictEqual(counts.bytes, before)
      })
    )
  )

  it.effect("stores nothing under a key that it has used either", () =>
    run(
      Effect.fnUntraced(function* (counts) {
        const principal = yield* caller
        const first = yield* call(principal, short(1), { idempotencyKey: "order-1" })
        yield* spend(principal)
        const before = counts.bytes
        const again = yield* call(principal, short(1), { idempotencyKey: "order-1" })
        assert.strictEqual(again.id, first.id)
        const other = call(principal, short(2), { idempotencyKey: "order-1" })
        assert.strictEqual((yield* Effect.flip(other))._tag, "IdempotencyConflict")
        assert.strictEqual(counts.bytes, before)
      })
    )
  )

  it.effect("joins its job however often it deleted one, and none once they are too many", () =>
    run(
      Effect.fnUntraced(function* () {
        const principal = yield* caller
        const jobs = yield* JobStore
        for (const round of upTo(66)) {
          const { id } = yield* call(principal, short(1))
          const again = yield* call(principal, short(1))
          assert.strictEqual(again.id === id, round <= 64, `round ${round}`)
          yield* jobs.remove(principal.workspaceId, JobId.make(id))
          yield* jobs.remove(principal.workspaceId, JobId.make(again.id))
        }
      })
    )
  )

  it.effect("joins a job that runs while the day of an earlier one ends", () =>
    run(
      Effect.fnUntraced(function* () {
        const principal = yield* caller
        const jobs = yield* JobStore
        const deleted = yield* call(principal, short(1))
        yield* jobs.remove(principal.workspaceId, JobId.make(deleted.id))
        yield* TestClock.adjust("23 hours")
        const { id } = yield* call(principal, short(1))
        yield* TestClock.adjust("90 minutes")
        assert.strictEqual((yield* call(principal, short(1))).id, id)
        // Its own day is over, too.
        yield* TestClock.adjust("23 hours")
        assert.notStrictEqual((yield* call(principal, short(1))).id, id)
      })
    )
  )

  it.effect("is answered with the job that it found, though somebody deletes it just then", () => {
    let isDeleting = false
    const deleting = replace(JobStore, (jobs) => ({
      find: (workspaceId, id) =>
        Effect.tap(jobs.find(workspaceId, id), () =>
          isDeleting ? jobs.remove(workspaceId, id) : Effect.void
        )
    }))
    const layer = front.pipe(Layer.provideMerge(deleting), Layer.provideMerge(outside))
    return Effect.gen(function* () {
      const principal = yield* caller
      const { id } = yield* call(principal, short(1))
      isDeleting = true
      assert.strictEqual((yield* call(principal, short(1))).id, id)
      assert.notStrictEqual((yield* call(principal, short(1))).id, id)
    }).pipe(Effect.provide(layer))
  })

  it.effect("joins nothing that another request made under its derived key", () => {
    const keys: Array<IdempotencyKey> = []
    const noting = replace(JobStore, (jobs) => ({
      insert: (creation) => {
        if (Option.isSome(creation.idempotency)) keys.push(creation.idempotency.value.key)
        return jobs.insert(creation)
      }
    }))
    const layer = front.pipe(Layer.provideMerge(noting), Layer.provideMerge(outside))
    return Effect.gen(function* () {
      const principal = yield* caller
      const other = yield* another(principal)
      yield* call(principal, short(1))
      yield* TestClock.adjust("24 hours")
      const [idempotencyKey = ""] = keys
      const { id } = yield* call(other, short(9), { idempotencyKey })
      const own = yield* call(principal, short(1))
      assert.notStrictEqual(own.id, id)
      assert.strictEqual((yield* call(principal, short(1))).id, own.id)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gets a job though the one of somebody who was faster is deleted at once", () => {
    let lateCount = 0
    const all = Latch.makeUnsafe(false)
    const late = replace(JobStore, (jobs) => ({
      insert: (creation) =>
        Effect.gen(function* () {
          if (lateCount === 0) return yield* jobs.insert(creation)
          lateCount -= 1
          if (lateCount === 0) {
            const faster = { ...creation.job, id: jobId(1) }
            const record = Option.map(creation.idempotency, (own) => ({ ...own, jobId: faster.id }))
            yield* jobs.insert({ ...creation, job: faster, idempotency: record })
            yield* jobs.remove(faster.workspaceId, faster.id)
            yield* all.open
          }
          yield* all.await
          return yield* jobs.insert(creation)
        })
    }))
    const layer = front.pipe(Layer.provideMerge(late), Layer.provideMerge(outside))
    return Effect.gen(function* () {
      const principal = yield* caller
      lateCount = 2
      const same = upTo(2).map(() => call(principal, short(1)))
      const made = yield* Effect.all(same, { concurrency: "unbounded" })
      assert.lengthOf(yield* stored, 1)
      const id = made[0]?.id ?? ""
      assert.strictEqual((yield* (yield* Jobs).status(principal, id)).id, id)
      // Its answer may be lost: whoever asks again gets that job.
      for (const job of [...made, yield* call(principal, short(1))]) {
        assert.strictEqual(job.id, id)
      }
      lateCount = 1
      const keyed = call(principal, short(2), { idempotencyKey: "order-1" })
      assert.strictEqual((yield* Effect.flip(keyed))._tag, "IdempotencyConflict")
      assert.lengthOf(yield* stored, 1)
    }).pipe(Effect.provide(layer))
  })
})
