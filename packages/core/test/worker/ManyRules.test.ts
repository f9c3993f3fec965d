/**
 * Tests the removal of old jobs from thousands of workspaces. Each has more old jobs than one visit
 * removes.
 */
import { assert, describe, it } from "@effect/vitest"
import { instant, upTo, userId, workspaceId } from "@verbatim/testkit/samples"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { noRetentionRule } from "#src/domain/workspace/RetentionRule"
import { createWorkspace, type WorkspaceId } from "#src/domain/workspace/Workspace"
import { RetentionStore } from "#src/ports/RetentionStore"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Expiries } from "#src/services/retention/Expiries"
import * as ExpiryCollection from "#src/worker/ExpiryCollection"
import { replace } from "../world/ports.ts"
import { outside } from "../world/world.ts"

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
