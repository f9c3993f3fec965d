/**
 * Listeners that leave and come back, processes that die, and a database that is away: at the end
 * each listener must have heard every commit once, in order.
 */
import type { JobId } from "@verbatim/core/attempt"
import { type FeedPlace, formatFeedPlace, parseFeedPlace } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import { JobFeeds } from "@verbatim/core/services"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Context, Effect, Exit, Fiber, Layer, Option, References, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { jobId, upTo, workspaceId } from "../../samples/Ids.ts"
import { type Dice, dice } from "../clock/Seed.ts"
import { type FeedFault, FeedServer } from "./FeedServer.ts"

/** What became of a seed. */
export interface FeedOutcome {
  readonly reconnects: number
  readonly violations: ReadonlyArray<string>
}

/** Steps of a quarter of a second. */
const stepCount = 160

const processCount = 2

/** Somebody who follows a workspace, or a job. */
interface Listener {
  readonly heard: Array<string>
  readonly of: { readonly workspaceId: WorkspaceId } | { readonly jobId: JobId }
  /** As it was told, which is all that is kept. */
  place: string
  connection: Fiber.Fiber<unknown, unknown> | undefined
}

const start: FeedPlace = { mark: "simulated", ordinal: 1, jobId: "", revision: 0 }

const print = (place: FeedPlace): string =>
  formatFeedPlace({ place, index: Number.POSITIVE_INFINITY })

const listenerOf = (of: Listener["of"]): Listener => ({
  heard: [],
  of,
  place: "jobId" in of ? "0" : print(start),
  connection: undefined
})

/** Hears what a process tells, from the place where it stopped. */
const hear = (feeds: JobFeeds["Service"], listener: Listener) => {
  const { of, place } = listener
  if ("jobId" in of) {
    return Stream.runForEach(feeds.followJob(of.jobId, Number(place)), (notice) =>
      Effect.sync(() => {
        if (notice._tag !== "Committed") return
        listener.heard.push(`${of.jobId}:${notice.entry.revision}`)
        listener.place = String(notice.entry.revision)
      })
    )
  }
  const after = Option.map(parseFeedPlace(place), ({ place }) => place)
  return Stream.runForEach(feeds.followWorkspace(of.workspaceId, after), (notice) =>
    Effect.sync(() => {
      if (notice._tag === "Committed") {
        listener.heard.push(`${notice.jobId}:${notice.entry.revision}`)
      }
      if (notice._tag === "Reset") listener.heard.push("reset")
      listener.place = print(notice.place)
    })
  )
}

interface Process {
  readonly feeds: JobFeeds["Service"]
  readonly scope: Scope.Closeable
}

const boot = Effect.fnUntraced(function* (server: FeedServer) {
  const scope = yield* Scope.make()
  const store = Layer.succeed(JobStore, {
    changes: server.changes
  } as unknown as JobStore["Service"])
  const layer = Layer.fresh(JobFeeds.layer).pipe(Layer.provide(store))
  const context = yield* Layer.buildWithScope(layer, scope)
  return { feeds: Context.get(context, JobFeeds), scope }
})

const leave = (listener: Listener) =>
  Effect.suspend(() => {
    const { connection } = listener
    listener.connection = undefined
    return connection === undefined ? Effect.void : Fiber.interrupt(connection)
  })

/** What happens in a step besides the commits. */
const disturb = Effect.fnUntraced(function* (
  { chance, below, pick }: Dice,
  {
    listeners,
    processes,
    server
  }: {
    readonly listeners: ReadonlyArray<Listener>
    readonly processes: Array<Process>
    readonly server: FeedServer
  }
) {
  let reconnects = 0
  server.isUp = chance(0.95)
  if (chance(0.03)) {
    const index = below(processCount)
    const victim = processes[index]
    if (victim !== undefined) yield* Scope.close(victim.scope, Exit.void)
    processes[index] = yield* boot(server)
  }
  for (const listener of listeners) {
    if (listener.connection !== undefined && chance(0.3)) yield* leave(listener)
    if (listener.connection === undefined && chance(0.5)) {
      reconnects += 1
      listener.connection = yield* Effect.forkChild(
        Effect.exit(hear(pick(processes).feeds, listener))
      )
    }
  }
  return reconnects
})

const story = Effect.fnUntraced(function* (seed: number, fault: FeedFault | undefined) {
  const chances = dice(seed, "feeds")
  const server = new FeedServer(dice(seed, "server"), fault)
  const listeners = [
    ...[1, 1, 2, 2].map((number) => listenerOf({ workspaceId: workspaceId(number) })),
    ...[1, 2].map((number) => listenerOf({ jobId: jobId(number) }))
  ]
  const processes = yield* Effect.forEach(upTo(processCount), () => boot(server))
  let reconnects = 0
  for (const _ of upTo(stepCount)) {
    for (const __ of upTo(chances.below(5))) server.move()
    // A day of commits while nobody is there.
    if (chances.chance(0.005)) for (const __ of upTo(3_000)) server.move()
    reconnects += yield* disturb(chances, { listeners, processes, server })
    yield* TestClock.adjust("250 millis")
  }
  server.isUp = true
  server.settle()
  for (const listener of listeners) {
    yield* leave(listener)
    listener.connection = yield* Effect.forkChild(hear(chances.pick(processes).feeds, listener))
  }
  yield* TestClock.adjust("20 seconds")
  for (const listener of listeners) yield* leave(listener)
  for (const { scope } of processes) yield* Scope.close(scope, Exit.void)
  const violations = listeners.flatMap(({ heard, of }) => judge(heard, server.committed(of)))
  return { reconnects, violations }
})

const judge = (
  heard: ReadonlyArray<string>,
  committed: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const twice = heard.length - new Set(heard).size
  const known = new Set(heard)
  const missing = committed.filter((each) => !known.has(each)).length
  const isInOrder = heard.join() === committed.join()
  return [
    ...(twice > 0 ? [`${twice} were heard twice`] : []),
    ...(missing > 0 ? [`${missing} were not heard`] : []),
    ...(isInOrder ? [] : ["what was heard is not what was committed"])
  ]
}

/** Runs a seed. */
export const runFeeds = (seed: number, fault?: FeedFault): Promise<FeedOutcome> =>
  Effect.runPromise(
    story(seed, fault).pipe(
      Effect.scoped,
      Effect.provide(Layer.fresh(TestClock.layer())),
      Effect.provideService(References.MinimumLogLevel, "Error")
    )
  )
