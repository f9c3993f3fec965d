/** Each subscriber to a workspace has its own cursor. */
import { assert, describe, it } from "@effect/vitest"
import {
  attemptStarted,
  claimIds,
  commitJob,
  insertJob,
  instant,
  leaseToken,
  makeUploadJob,
  upTo,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Effect, Exit, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import type { FeedCursor } from "#src/domain/job/FeedCursor"
import { WorkQueue } from "#src/ports/WorkQueue"
import { EventStreams } from "#src/services/events/EventStreams"
import type { FeedMessage } from "#src/services/events/JobFeeds"
import { JobFeeds } from "#src/services/events/JobFeeds"

import { withCaller } from "../../world/caller.ts"
import { commitsOf, layer, listen, progressOf, tick, twice } from "./FeedWorld.ts"

const ofSecond = { workspaceId: workspaceId(2) }

describe("Subscribers to a workspace", () => {
  it.effect("receive their workspace's changes, each from its own cursor", () =>
    Effect.gen(function* () {
      const { followWorkspace } = yield* JobFeeds
      const one = yield* listen(followWorkspace(workspaceId(1), Option.none()))
      const other = yield* listen(followWorkspace(workspaceId(2), Option.none()))
      const first = yield* insertJob(makeUploadJob(1))
      const second = yield* insertJob(makeUploadJob(2, ofSecond))
      yield* tick
      yield* twice(first)
      yield* tick
      assert.deepStrictEqual(commitsOf(one.received), ["1:1", "1:2", "1:3"])
      assert.deepStrictEqual(commitsOf(other.received), ["2:1"])
      const [cursor] = one.received.flatMap((received) =>
        received._tag === "Committed" ? [received.cursor] : []
      )
      const again = yield* listen(followWorkspace(workspaceId(1), Option.fromUndefinedOr(cursor)))
      const foreign = yield* listen(followWorkspace(workspaceId(2), Option.fromUndefinedOr(cursor)))
      yield* twice(second)
      yield* tick
      assert.deepStrictEqual(commitsOf(again.received), ["1:2", "1:3"])
      assert.deepStrictEqual(commitsOf(foreign.received), ["2:1", "2:2", "2:3"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("receive new cursors even when nothing happens in their workspace", () =>
    withCaller(function* (principal) {
      const { followAll } = yield* EventStreams
      const of = (number: number) => ({ ...principal, workspaceId: workspaceId(number) })
      const numbers = [1, 2, 3]
      const join = Effect.forEach(numbers, (number) =>
        Effect.map(Effect.flatMap(followAll(of(number), undefined), listen), ({ received }) => ({
          number,
          received
        }))
      )
      const early = yield* join
      yield* tick
      const late = yield* join
      for (const number of upTo(20)) {
        yield* insertJob(makeUploadJob(number, { workspaceId: workspaceId(3) }))
        yield* tick
      }
      for (const { number: own, received } of [...early, ...late]) {
        const cursors = received.flatMap((each) => ("cursor" in each ? [each.cursor] : []))
        assert.isAtLeast(cursors.length, 2)
        for (const cursor of cursors) {
          for (const number of numbers) {
            const exit = yield* Effect.exit(Effect.scoped(followAll(of(number), cursor)))
            assert.strictEqual(Exit.isSuccess(exit), number === own)
          }
        }
      }
    })
  )

  it.effect("receive only new entries if they subscribe after all others have left", () =>
    Effect.gen(function* () {
      const { followWorkspace } = yield* JobFeeds
      const first = yield* listen(followWorkspace(workspaceId(1), Option.none()))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.interrupt(first.fiber)
      yield* TestClock.adjust("2 seconds")
      yield* insertJob(makeUploadJob(1))
      const second = yield* listen(followWorkspace(workspaceId(1), Option.none()))
      yield* insertJob(makeUploadJob(2))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(commitsOf(second.received), ["2:1"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("receive the latest progress of their jobs, and no value twice", () =>
    Effect.gen(function* () {
      const { followWorkspace } = yield* JobFeeds
      yield* TestClock.setTime(DateTime.toEpochMillis(instant))
      const queue = yield* WorkQueue
      const token = leaseToken(1)
      const job = yield* insertJob(makeUploadJob(1))
      yield* claimIds(token)
      yield* commitJob(job, { events: [attemptStarted()], token, isLeaseKept: true })
      const renew = (progress: number) => queue.renew([{ jobId: job.id, token, progress }])
      const one = yield* listen(followWorkspace(workspaceId(1), Option.none()))
      const other = yield* listen(followWorkspace(workspaceId(2), Option.none()))
      for (const progress of [0.25, 0.25, 0.5]) {
        yield* renew(progress)
        yield* tick
      }
      const late = yield* listen(followWorkspace(workspaceId(1), Option.none()))
      assert.deepStrictEqual(progressOf(one.received), [0.25, 0.5])
      assert.deepStrictEqual(progressOf(late.received), [0.5])
      assert.deepStrictEqual(progressOf(other.received), [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("get a heartbeat every 15 seconds, and can be disconnected while they wait", () =>
    Effect.gen(function* () {
      const { end, followJob, followWorkspace } = yield* JobFeeds
      const job = yield* insertJob(makeUploadJob(1))
      const all = yield* listen(followWorkspace(workspaceId(1), Option.none()))
      const one = yield* listen(followJob(job, 1))
      yield* TestClock.adjust("1 minute")
      const isQuiet = ({ _tag }: FeedMessage) => _tag === "Quiet"
      assert.strictEqual(all.received.filter(isQuiet).length, 4)
      assert.strictEqual(one.received.filter(isQuiet).length, 4)
      yield* end
      yield* Fiber.join(all.fiber)
      yield* Fiber.join(one.fiber)
    }).pipe(Effect.provide(layer))
  )

  it.effect("are reset if their cursor comes from another feed", () =>
    Effect.gen(function* () {
      const { followWorkspace } = yield* JobFeeds
      yield* insertJob(makeUploadJob(1))
      const foreign: FeedCursor = { feedId: "other", ordinal: 1, jobId: "", revision: 0 }
      const follower = yield* listen(followWorkspace(workspaceId(1), Option.some(foreign)))
      yield* insertJob(makeUploadJob(2))
      yield* tick
      assert.deepStrictEqual(
        follower.received.map(({ _tag }) => _tag),
        ["Reset", "Committed", "Reached"]
      )
    }).pipe(Effect.provide(layer))
  )
})
