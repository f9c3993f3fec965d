/**
 * Listeners that leave and come back, processes that die, and a database that is away: at the end
 * each listener must have heard every commit once, in order.
 */
import type { JobId } from "@verbatim/core/attempt"
import { type FeedPlace, isAfter } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import { JobFeeds } from "@verbatim/core/services"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Context, Effect, Exit, Fiber, Layer, Option, References, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { jobId, upTo, workspaceId } from "../../samples/Ids.ts"
import { type Dice, dice } from "../clock/Seed.ts"
import { type FeedFault, FeedServer, type Happened, nameOf } from "./FeedServer.ts"

/** What became of a seed. */
export interface FeedOutcome {
  readonly reconnects: number
  /** How often somebody was told that what it missed is forgotten. */
  readonly resets: number
  readonly violations: ReadonlyArray<string>
}

/** Steps of a quarter of a second. */
const stepCount = 160

const processCount = 2

/** A stretch that was not told. */
interface Skipped {
  readonly after: FeedPlace
  readonly through: FeedPlace
  /** Whether there was something to forget in it. */
  readonly isRight: boolean
}

/** Somebody who follows a workspace, or a job. */
interface Listener {
  readonly heard: Array<string>
  readonly of: { readonly workspaceId: WorkspaceId } | { readonly jobId: JobId }
  /** As it was told, which is all that is kept. */
  place: string
  /** What it was told that it cannot be told, and looked up in the lists. */
  readonly skipped: Array<Skipped>
  connection: Fiber.Fiber<unknown, unknown> | undefined
}

const start: FeedPlace = { mark: "simulated", ordinal: 1, jobId: "", revision: 0 }

const print = (place: FeedPlace): string => JSON.stringify(place)

const read = (text: string): FeedPlace => JSON.parse(text)

const listenerOf = (of: Listener["of"]): Listener => ({
  heard: [],
  of,
  place: "jobId" in of ? "0" : print(start),
  skipped: [],
  connection: undefined
})

const followedBy = (id: JobId) => ({ id, workspaceId: workspaceId(1) })

/** Hears what a process tells, from the place where it stopped. */
const hear = (server: FeedServer, feeds: JobFeeds["Service"], listener: Listener) => {
  const { of, place } = listener
  if ("jobId" in of) {
    return Stream.runForEach(feeds.followJob(followedBy(of.jobId), Number(place)), (notice) =>
      Effect.sync(() => {
        if (notice._tag !== "Committed") return
        listener.heard.push(nameOf(of.jobId, notice.entry))
        listener.place = String(notice.entry.revision)
      })
    )
  }
  const after = read(place)
  return Stream.runForEach(feeds.followWorkspace(of.workspaceId, Option.some(after)), (notice) =>
    Effect.sync(() => {
      if (notice._tag === "Progressed") return
      if (notice._tag === "Committed") listener.heard.push(nameOf(notice.jobId, notice.entry))
      if (notice._tag === "Deleted") listener.heard.push(nameOf(notice.jobId, "deleted"))
      if (notice._tag === "Reset") {
        const before = read(listener.place)
        const isRight = before.ordinal <= server.forgotten
        listener.skipped.push({ after: before, through: notice.place, isRight })
      }
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
  if (chance(0.1)) server.forget()
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
        Effect.exit(hear(server, pick(processes).feeds, listener))
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
    if (chances.chance(0.005)) for (const __ of upTo(4_000)) server.move()
    reconnects += yield* disturb(chances, { listeners, processes, server })
    yield* TestClock.adjust("250 millis")
  }
  server.isUp = true
  server.settle()
  for (const listener of listeners) {
    yield* leave(listener)
    listener.connection = yield* Effect.forkChild(
      hear(server, chances.pick(processes).feeds, listener)
    )
  }
  yield* TestClock.adjust("20 seconds")
  for (const listener of listeners) yield* leave(listener)
  for (const { scope } of processes) yield* Scope.close(scope, Exit.void)
  const violations = listeners.flatMap((listener) => judge(listener, server.happened(listener.of)))
  const resets = listeners.reduce((count, { skipped }) => count + skipped.length, 0)
  return { reconnects, resets, violations }
})

const judge = (
  { heard, skipped }: Listener,
  happened: ReadonlyArray<Happened>
): ReadonlyArray<string> => {
  const twice = heard.length - new Set(heard).size
  const known = new Set(heard)
  const isSkipped = (place: FeedPlace) =>
    skipped.some(({ after, through }) => isAfter(place, after) && !isAfter(place, through))
  const missing = happened.filter(
    ({ isWithdrawn, name, place }) => !known.has(name) && !isWithdrawn && !isSkipped(place)
  ).length
  const inOrder = happened.flatMap(({ name }) => (known.has(name) ? [name] : []))
  const wrongly = skipped.filter(({ isRight }) => !isRight).length
  return [
    ...(twice > 0 ? [`${twice} were heard twice`] : []),
    ...(missing > 0 ? [`${missing} were not heard`] : []),
    ...(wrongly > 0 ? [`${wrongly} were told to start anew for nothing`] : []),
    ...(heard.join() === inOrder.join() ? [] : ["what was heard is not what happened"])
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
