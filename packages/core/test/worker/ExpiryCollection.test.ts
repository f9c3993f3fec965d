/**
 * Old jobs are removed only if the store's clock has agreed with the process's clock for a while.
 */
import { assert, describe, it } from "@effect/vitest"
import { instant, upTo, userId, workspaceId } from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { noRetentionRule } from "#src/domain/workspace/RetentionRule"
import { createWorkspace, type WorkspaceId } from "#src/domain/workspace/Workspace"
import { JobStore } from "#src/ports/JobStore"
import { RetentionStore } from "#src/ports/RetentionStore"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Expiries } from "#src/services/retention/Expiries"
import * as ExpiryCollection from "#src/worker/ExpiryCollection"
import { collecting, collectingOver, retain, work } from "../services/retention/OldJobs.ts"
import { look, submit, withCaller } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { outside } from "../world/world.ts"

describe("Old jobs", () => {
  it.effect(
    "are kept if a process starts with a clock that is 40 days ahead and then corrected",
    () =>
      withCaller(function* (principal) {
        const job = yield* submit(principal, {})
        yield* work
        yield* retain(principal, { jobDays: 30 })
        yield* Effect.gen(function* () {
          let ahead = Duration.days(40)
          const wrong = replace(JobStore, ({ now }) => ({
            now: Effect.map(now, (at) => DateTime.addDuration(at, ahead))
          }))
          const started = yield* Layer.build(collectingOver(wrong))
          yield* TestClock.adjust("59 minutes")
          assert.strictEqual((yield* look(principal, job)).status, "COMPLETED")
          ahead = Duration.zero
          yield* TestClock.adjust("5 hours")
          // After another jump forward, no data is removed for an hour.
          ahead = Duration.days(40)
          yield* TestClock.adjust("55 minutes")
          assert.strictEqual((yield* look(principal, job)).status, "COMPLETED")
          ahead = Duration.zero
          yield* TestClock.adjust("5 hours")
          assert.strictEqual((yield* look(principal, job)).status, "COMPLETED")
          return started
        }).pipe(Effect.scoped)
        yield* collecting
        yield* TestClock.adjust("31 days")
        assert.strictEqual((yield* Effect.flip(look(principal, job)))._tag, "RequestNotFound")
      })
  )
})

/** The number of workspaces, which is more than one round can remember. */
const workspaceCount = 2_500

const workspaces = upTo(workspaceCount).map((number) => ({
  ...createWorkspace({
    id: workspaceId(number),
    name: "",
    externalId: null,
    firstUserId: userId(1),
    createdAt: instant
  }),
  jobDays: 1
}))

/** Records, at the end of each round, how many steps each workspace has had. */
const makeWatched = () => {
  const steps = new Map<WorkspaceId, number>()
  const watched = { looks: [] as ReadonlyArray<number>[], isMore: true }
  const expiries = Layer.succeed(Expiries, {
    ruleOf: () => Option.some({ ...noRetentionRule, mediaDays: 1 }),
    step: ({ id }, index) =>
      Effect.sync(() => {
        steps.set(id, (steps.get(id) ?? 0) + 1)
        return watched.isMore ? Option.some(index) : Option.none()
      })
  })
  const stores = Layer.merge(
    replace(WorkspaceStore, () => ({
      accounts: ({ after, limit }) =>
        Effect.sync(() =>
          workspaces
            .filter(({ id }) => after === null || id > after)
            .slice(0, limit)
            .map((workspace) => ({ workspace, balanceMillis: 0 }))
        )
    })),
    replace(RetentionStore, ({ releaseLock }) => ({
      releaseLock: (turn) =>
        Effect.suspend(() => {
          watched.looks.push([...steps.values()])
          return releaseLock(turn)
        })
    }))
  )
  const layer = ExpiryCollection.layer.pipe(
    Layer.provide(expiries),
    Layer.provide(stores),
    Layer.provide(outside)
  )
  return { layer, watched }
}

/** Number of removal steps in one visit to a workspace. */
const visitMax = 5

describe("old jobs in thousands of workspaces", () => {
  it.effect(
    "are removed evenly, with at most two more visits to one workspace than to another",
    () =>
      Effect.gen(function* () {
        const { layer, watched } = makeWatched()
        yield* Layer.build(layer)
        const untilLook = Effect.fnUntraced(function* (count: number) {
          yield* Effect.repeat(TestClock.adjust(Duration.minutes(1)), {
            while: () => watched.looks.length < count
          })
          return watched.looks[count - 1] ?? []
        })
        const first = yield* untilLook(1)
        assert.lengthOf(first, workspaceCount)
        const seldom = first.filter((steps) => steps === visitMax)
        assert.lengthOf(seldom, workspaceCount - 1_000, "a look remembers a thousand")
        // By now, every workspace has been visited several times.
        const fifth = yield* untilLook(5)
        assert.isAtMost(Math.max(...fifth) - Math.min(...fifth), 2 * visitMax)
        watched.isMore = false
        yield* untilLook(7)
        yield* TestClock.adjust("30 minutes")
        assert.lengthOf(watched.looks, 7, "nothing is left to do")
      }).pipe(Effect.scoped)
  )
})
