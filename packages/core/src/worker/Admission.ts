/**
 * What a worker may take on now, and what must wait although there is room: speech without an
 * engine, media in a store that is not the database's own, tasks whose dependency is out of reach,
 * webhooks and notices while the store's clock is in doubt, and everything else while a task runs
 * alone.
 */
import { type Clock, Effect, Latch } from "effect"
import { isTelling, Task, taskOf, type Work, type WorkKind } from "../domain/attempt/Work.ts"
import { current } from "../domain/job/Current.ts"
import type { Job } from "../domain/job/Job.ts"
import type { Transcriber } from "../ports/Transcriber.ts"
import type { Outage } from "../ports/WorkerRegistry.ts"
import type { Capacity } from "../ports/WorkQueue.ts"
import type { MediaIdentity } from "../services/tasks/MediaIdentity.ts"
import { type Ending, failureOf } from "./AttemptEnd.ts"
import type { Circuits } from "./Circuits.ts"
import { needs } from "./Circuits.ts"
import * as Isolation from "./Isolation.ts"
import { make as makeSlots, type Reply, type TaskCounts } from "./Slots.ts"
import * as StoreClock from "./StoreClock.ts"

/** A job that was let in. */
export interface Entry {
  /** Ends when its attempt may begin. */
  readonly turn: Effect.Effect<void>
  /** Gives the slot back. */
  readonly leave: (ending: Ending) => Effect.Effect<void>
}

/** A job as a claim gave it out. */
interface Entering {
  readonly job: Job
  readonly work: Work
}

/**
 * Why a claimed job is not let in. `NotNow` gives it back. `OutOfReach` keeps its lease until it
 * lapses, so that the next look finds the work behind it.
 */
type Refusal = "NotNow" | "OutOfReach"

export interface Admission {
  /** What may be claimed. */
  readonly room: Effect.Effect<Capacity>
  /** Takes what a claim told about the store's clock. */
  readonly see: (look: StoreClock.Look) => Effect.Effect<void>
  /** Lets a claimed job in, or says what becomes of its lease. */
  readonly enter: (entering: Entering) => Effect.Effect<Entry | Refusal>
  readonly running: () => TaskCounts
  readonly outages: Effect.Effect<ReadonlyArray<Outage>>
}

/** What an attempt tells about the host that it asked, if it asked one. */
const replyOf = (ending: Ending): Reply | undefined => {
  const tag = failureOf(ending)?._tag
  if (tag === "ReceiverUnreachable" || tag === "MediaUnreachable") return "TimedOut"
  return ending._tag === "Succeeded" || tag === "ReceiverRefused" ? "Answered" : undefined
}

/** The gate of one worker, with nobody inside. */
export const make = (parts: {
  readonly circuits: Circuits["Service"]
  readonly clock: Clock.Clock
  readonly concurrency: TaskCounts
  readonly laneMax: number
  readonly media: MediaIdentity["Service"]
  readonly transcriber: Transcriber["Service"]
}): Admission => {
  const { circuits, clock, media, transcriber } = parts
  const slots = makeSlots(parts.concurrency, parts.laneMax)
  const isQuiet = Latch.makeUnsafe(true)
  let isolation: Isolation.Isolation = Isolation.notIsolated
  let isolatedTask: Task | undefined
  let reluctance: Isolation.SuspectBackoff | undefined
  let storeClock: StoreClock.StoreClock | undefined
  let isOurs: boolean | undefined

  const now = () => clock.monotonicTimeNanosUnsafe()
  const isBusy = () =>
    Task.literals.some((each) => Isolation.isShared(each) && slots.running()[each] > 0)
  const isDoubted = () => storeClock !== undefined && StoreClock.isDoubted(storeClock, now())

  const mayClaim = (kind: WorkKind): boolean => {
    const task = taskOf(kind)
    return (
      Isolation.mayClaim(kind, { isolation, isBusy: isBusy(), now: now() }) &&
      !(task !== undefined && isTelling(task) && isDoubted())
    )
  }

  const ask = Effect.tap(media.verify, ({ _tag }) =>
    Effect.sync(() => {
      isOurs = _tag === "Ours"
    })
  )

  /** Whether media is where it should be, as far as is known: no claim waits for a silent store. */
  const isMediaOurs = Effect.suspend(() => {
    if (isOurs === undefined) return Effect.map(ask, ({ _tag }) => _tag === "Ours")
    return Effect.as(Effect.forkDetach(ask), isOurs)
  })

  /** Whether this process has what a task needs. */
  const isServed = Effect.fnUntraced(function* (task: Task) {
    if (task === "Transcribe" && (yield* transcriber.readiness)._tag !== "Ready") return false
    return !needs[task].includes("MediaStore") || (yield* isMediaOurs)
  })

  /** How many of a task may begin, of those for which there is room. */
  const slotsOf = Effect.fnUntraced(function* (task: Task, free: number) {
    const state = yield* circuits.state(task)
    if (free === 0 || state === "Shut" || !mayClaim(task)) return 0
    if (!(yield* isServed(task))) return 0
    return state === "Trial" ? 1 : free
  })

  /** Whether a task may begin alone: what it needs is there, or may be tried. */
  const mayIsolate = Effect.fnUntraced(function* (task: Task) {
    return (yield* circuits.state(task)) !== "Shut" && (yield* isServed(task))
  })

  /** One, in a process that does every task. Only the job tells which task it is. */
  const placesAlone = Effect.fnUntraced(function* () {
    if (parts.concurrency.Transcribe === 0 || !mayClaim("Isolate")) return 0
    const isDue = Isolation.mayLook(reluctance, now())
    if (reluctance !== undefined && !isDue && !(yield* mayIsolate(reluctance.task))) return 0
    isolation = Isolation.afterLook(isolation, now())
    return 1
  })

  const room = Effect.gen(function* () {
    const free = slots.room()
    const kinds: Partial<Record<WorkKind, number>> = {}
    for (const task of Task.literals) {
      const count = yield* slotsOf(task, free.kinds[task] ?? 0)
      if (count > 0) kinds[task] = Math.min(count, free.kinds[task] ?? 0)
    }
    const alone = yield* placesAlone()
    if (alone > 0) kinds.Isolate = alone
    return { ...free, kinds }
  })

  const becomeAlone = Effect.sync(() => {
    isolation = Isolation.begun(isolation, now())
  })

  const quieten = () => {
    if (Task.literals.some((each) => slots.running()[each] > 0)) isQuiet.closeUnsafe()
    else isQuiet.openUnsafe()
  }

  const enter = Effect.fnUntraced(function* ({
    job,
    work
  }: Entering): Effect.fn.Return<Entry | Refusal> {
    const owing = current(job)
    if (owing._tag === "Idle") return "NotNow"
    const isAlone = work.kind === "Isolate"
    // The claim may have been sent before somebody was isolated, or before a step of the clock.
    if (isAlone ? isolation._tag !== "None" : !mayClaim(work.kind)) return "NotNow"
    if (isAlone && !(yield* mayIsolate(owing.task))) {
      isolation = Isolation.notIsolated
      reluctance = Isolation.afterMiss(reluctance, { now: now(), task: owing.task })
      return "OutOfReach"
    }
    const trial = yield* circuits.begin(owing.task)
    if (isAlone) {
      isolation = Isolation.afterClaim(isolation)
      isolatedTask = owing.task
      // What else it cannot serve, it still cannot.
      if (reluctance?.task === owing.task) reluctance = undefined
    } else slots.take(work)
    quieten()
    const leave = (ending: Ending) =>
      Effect.suspend(() => {
        if (isAlone) {
          isolation = Isolation.afterEnd(isolation, now())
          isolatedTask = undefined
        } else {
          const reply = replyOf(ending)
          if (reply !== undefined) slots.note(work, reply)
          slots.give(work)
        }
        quieten()
        return circuits.end(trial, ending)
      })
    const turn = isAlone ? Effect.andThen(isQuiet.await, becomeAlone) : Effect.void
    return { turn, leave }
  })

  const running = () => {
    const counts = slots.running()
    return isolatedTask === undefined
      ? counts
      : { ...counts, [isolatedTask]: counts[isolatedTask] + 1 }
  }

  const see = Effect.fnUntraced(function* (look: StoreClock.Look) {
    const wasDoubted = isDoubted()
    storeClock =
      storeClock === undefined
        ? StoreClock.first(look, clock.currentTimeMillisUnsafe())
        : StoreClock.look(storeClock, look)
    if (!wasDoubted && isDoubted()) {
      yield* Effect.logWarning(
        "The store's clock went ahead of this one: webhooks and notices wait"
      )
    }
  })

  return { room, see, enter, running, outages: circuits.outages }
}
