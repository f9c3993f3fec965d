/**
 * Those who are behind read the store in turns, each workspace by itself: however many listeners of
 * one ask for the whole history, another's wait for their own turn alone.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { insertJob, makeUploadJob, upTo, workspaceId } from "@verbatim/testkit/samples"
import { Context, Effect, Fiber, Latch, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { FeedPlace } from "#src/domain/job/FeedPlace"
import type { Job } from "#src/domain/job/Job"
import type { WorkspaceId } from "#src/domain/workspace/Workspace"
import type { ChangesQuery } from "#src/ports/Changes"
import { JobStore, JobStoreError } from "#src/ports/JobStore"
import { JobFeeds } from "#src/services/events/JobFeeds"
import { replace } from "../../world/replace.ts"

const [busy, calm] = [workspaceId(1), workspaceId(2)]

/** Jobs 1 to 99 are of the first workspace, the others of the second. */
const isOfBusy = ({ feed, jobs }: ChangesQuery): boolean =>
  Option.exists(feed, ({ workspaceIds }) => workspaceIds.includes(busy)) ||
  jobs.some(({ id }) => Number.parseInt(id.slice(-4), 16) < 100)

const away = new JobStoreError({
  operation: "changes",
  reason: { _tag: "Unavailable", cause: "away" }
})

/** What a test does to the questions of those who are behind in the first workspace. */
class Store extends Context.Service<
  Store,
  {
    /** Questions about that workspace are not answered until it opens. */
    readonly gate: Latch.Latch
    /** How many of these questions fail from now on. */
    failures: number
    readonly asked: Array<WorkspaceId>
    /** Questions under way now, and the most there ever were. */
    readonly underWay: { now: number; most: number }
  }
>()("CatchUpTurns.test/Store") {}

/** Those of the hub ask for jobs that are known, and for what has happened since. */
const isBehind = ({ feed, jobs }: ChangesQuery): boolean =>
  jobs.some(({ beyond }) => beyond === 0) ||
  Option.exists(feed, ({ after }) => Option.exists(after, ({ ordinal }) => ordinal === 1))

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const state = {
      gate: yield* Latch.make(),
      failures: 0,
      asked: [],
      underWay: { now: 0, most: 0 }
    }
    const { asked, gate, underWay } = state as Store["Service"]
    const watched = replace(JobStore, ({ changes }) => ({
      changes: (query) =>
        Effect.suspend(() => {
          if (!isBehind(query)) return changes(query)
          asked.push(isOfBusy(query) ? busy : calm)
          if (!isOfBusy(query)) return changes(query)
          underWay.now += 1
          underWay.most = Math.max(underWay.most, underWay.now)
          return gate.await.pipe(
            Effect.andThen(
              Effect.suspend(() => {
                state.failures -= 1
                return state.failures >= 0 ? Effect.fail(away) : changes(query)
              })
            ),
            Effect.ensuring(Effect.sync(() => (underWay.now -= 1)))
          )
        })
    }))
    return Layer.merge(
      JobFeeds.layer.pipe(Layer.provideMerge(watched)),
      Layer.succeed(Store, state)
    )
  })
).pipe(Layer.provideMerge(Memory.layer))

/** Long enough for everybody who can have a turn. */
const moment = Effect.repeat(TestClock.adjust("1 millis"), { times: 100 })

/** The first thing that each listener is told. */
const listen = Effect.fnUntraced(function* <A, E>(count: number, stream: Stream.Stream<A, E>) {
  const told: Array<A> = []
  const fibers = yield* Effect.forEach(upTo(count), () =>
    Effect.forkScoped(
      Stream.runForEach(Stream.take(stream, 1), (notice) => Effect.sync(() => told.push(notice)))
    )
  )
  yield* moment
  return { told, fibers }
})

interface Ways {
  readonly busy: Stream.Stream<unknown, JobStoreError>
  readonly calm: Stream.Stream<unknown, JobStoreError>
}

/** The stream of one job, or of a workspace from its first place on. */
const ways = {
  "a job": ({ followJob }: JobFeeds["Service"], [first, second]: readonly [Job, Job]): Ways => ({
    busy: followJob(first, 0),
    calm: followJob(second, 0)
  }),
  "a workspace": ({ followWorkspace }: JobFeeds["Service"], _jobs: unknown, mark: string): Ways => {
    const start: FeedPlace = { mark, ordinal: 1, jobId: "", revision: 0 }
    return {
      busy: followWorkspace(busy, Option.some(start)),
      calm: followWorkspace(calm, Option.some(start))
    }
  }
} as const

const prepare = Effect.fnUntraced(function* (way: keyof typeof ways) {
  const first = yield* insertJob(makeUploadJob(1))
  const second = yield* insertJob(makeUploadJob(100, { workspaceId: calm }))
  const { changes } = yield* JobStore
  const { feed } = yield* changes({
    jobs: [],
    feed: Option.some({ workspaceIds: [], after: Option.none(), limit: 1, withProgress: false })
  })
  const { through } = yield* Effect.fromOption(feed)
  return {
    store: yield* Store,
    streams: ways[way](yield* JobFeeds, [first, second], through.mark)
  }
})

const crowd = 50

for (const way of ["a job", "a workspace"] as const) {
  describe(`Those who ask for the whole history of ${way}`, () => {
    it.effect("wait for nobody of another workspace", () =>
      Effect.gen(function* () {
        const { store, streams } = yield* prepare(way)
        const many = yield* listen(crowd, streams.busy)
        const few = yield* listen(3, streams.calm)
        assert.strictEqual(few.told.length, 3)
        assert.strictEqual(many.told.length, 0)
        assert.strictEqual(store.underWay.most, 1)
        yield* store.gate.open
        yield* moment
        assert.strictEqual(many.told.length, crowd)
        assert.strictEqual(store.underWay.most, 1)
      }).pipe(Effect.provide(layer))
    )

    it.effect("give their turn back when they leave, waiting or reading", () =>
      Effect.gen(function* () {
        const { store, streams } = yield* prepare(way)
        const { fibers, told } = yield* listen(4, streams.busy)
        const [reading, waiting] = fibers
        if (reading === undefined || waiting === undefined) return assert.fail("nobody listens")
        yield* Fiber.interruptAll([waiting, reading])
        yield* store.gate.open
        yield* moment
        assert.strictEqual(told.length, 2)
        assert.strictEqual((yield* listen(1, streams.busy)).told.length, 1)
      }).pipe(Effect.provide(layer))
    )

    it.effect("fail by themselves, and the next has its turn", () =>
      Effect.gen(function* () {
        const { store, streams } = yield* prepare(way)
        const { fibers, told } = yield* listen(4, streams.busy)
        const others = yield* listen(1, streams.calm)
        store.failures = 2
        yield* store.gate.open
        yield* moment
        const exits = yield* Effect.forEach(fibers, (fiber) => Effect.exit(Fiber.join(fiber)))
        assert.deepStrictEqual(
          exits.map(({ _tag }) => _tag),
          ["Failure", "Failure", "Success", "Success"]
        )
        assert.strictEqual(told.length, 2)
        assert.strictEqual(others.told.length, 1)
      }).pipe(Effect.provide(layer))
    )
  })
}

describe("A listener of a workspace from now on", () => {
  it.effect("asks nothing where somebody of the process listens already", () =>
    Effect.gen(function* () {
      yield* insertJob(makeUploadJob(1))
      const questions = { count: 0 }
      const counted = replace(JobStore, ({ changes }) => ({
        changes: (query) =>
          Effect.suspend(() => {
            questions.count += 1
            return changes(query)
          })
      }))
      yield* Effect.gen(function* () {
        const feeds = yield* JobFeeds
        yield* Effect.forkScoped(Stream.runDrain(feeds.followWorkspace(busy, Option.none())))
        yield* TestClock.adjust("1500 millis")
        questions.count = 0
        yield* listen(crowd, feeds.followWorkspace(busy, Option.none()))
        yield* listen(crowd, feeds.followWorkspace(calm, Option.none()))
        assert.strictEqual(questions.count, 0)
      }).pipe(Effect.provide(Layer.fresh(JobFeeds.layer).pipe(Layer.provide(counted))))
    }).pipe(Effect.scoped, Effect.provide(Memory.layer))
  )
})
