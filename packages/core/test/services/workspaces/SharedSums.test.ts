/**
 * Usage totals are computed one at a time, identical queries share a total, and workspaces take
 * turns.
 */
import { assert, describe, it } from "@effect/vitest"
import { credit, instant, upTo } from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { WorkspaceId } from "#src/domain/workspace/Workspace"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Usage } from "#src/services/workspaces/Usage"
import { deployment, made } from "./WorkspaceDeployment.ts"

const seen = { now: 0, most: 0, sums: 0 }

/** A store that counts how often it computes usage totals, which takes 100 ms each time. */
const counted = Layer.effect(
  WorkspaceStore,
  Effect.map(WorkspaceStore, (store) => ({
    ...store,
    usage: (query: Parameters<typeof store.usage>[0]) =>
      Effect.gen(function* () {
        seen.sums += 1
        seen.now += 1
        seen.most = Math.max(seen.most, seen.now)
        yield* Effect.sleep(100)
        seen.now -= 1
        return yield* store.usage(query)
      })
  }))
)

const world = Usage.layer.pipe(Layer.provide(counted), Layer.provideMerge(deployment))

/** A workspace with one ledger entry. */
const founded = Effect.fnUntraced(function* (number: number) {
  const { id } = yield* made(`workspace ${number}`)
  const { credit: addCredit } = yield* WorkspaceStore
  yield* addCredit({ ...credit(number, 1_000), workspaceId: id })
  return id
})

const page = (workspaceId: WorkspaceId, days: number) => ({
  workspaceId,
  by: "workspace" as const,
  from: DateTime.subtract(instant, { days }),
  to: DateTime.add(instant, { days: 1 }),
  after: null,
  limit: 10
})

describe("usage totals", () => {
  it.effect("are computed one at a time and shared for a second, and workspaces take turns", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* founded(1), yield* founded(2)]
      const usage = yield* Usage
      const greedy = yield* Effect.forkChild(
        Effect.forEach(
          upTo(60),
          // The first fifty queries cover the same period; each of the others covers a different
          // one.
          (number) => usage.read(page(one, number > 50 ? number : 30)),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust(0)
      const quiet = yield* Effect.forkChild(usage.read(page(other, 30)))
      // Only one of the other workspace's eleven queries precedes this one.
      yield* TestClock.adjust(Duration.millis(200))
      const [row] = yield* Fiber.join(quiet)
      assert.strictEqual(row?.workspaceId, other)
      yield* TestClock.adjust(Duration.seconds(2))
      const rows = yield* Fiber.join(greedy)
      assert.isTrue(rows.flat().every((each) => each.workspaceId === one))
      assert.deepStrictEqual([seen.sums, seen.most], [12, 1])
      const again = yield* Effect.forkChild(usage.read(page(one, 30)))
      yield* TestClock.adjust(Duration.millis(100))
      yield* Fiber.join(again)
      assert.strictEqual(seen.sums, 13)
    }).pipe(Effect.provide(world))
  )
})
