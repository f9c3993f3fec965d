/**
 * Decides which work a worker can take now. Some work waits although there are free slots:
 * recognition if no engine is ready, work on media if the media store does not belong to the
 * database, and tasks with an unreachable dependency. Webhooks and notices wait while the store's
 * clock is in doubt, and all other work waits while a task runs alone.
 */
import { type Clock, Effect, Latch, MutableRef } from "effect"
import { isNotification, Task, taskOf, type Work, type WorkKind } from "../domain/attempt/Work.ts"
import { currentStep } from "../domain/job/CurrentStep.ts"
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

/** A job that was admitted. */
export interface AdmittedJob {
  /** Completes when the job's attempt can begin. */
  readonly ready: Effect.Effect<void>
  /** Gives the job's slot back. */
  readonly finish: (ending: Ending) => Effect.Effect<void>
}

/** A claimed job, before its admission. */
interface ClaimedWork {
  readonly job: Job
  readonly work: Work
}

/**
 * The reason why a claimed job is not admitted. `NotNow` releases the job. `OutOfReach` keeps the
 * job's lease until the lease lapses, so that the next claim finds other work.
 */
type Refusal = "NotNow" | "OutOfReach"

export interface Admission {
  /** The work that can be claimed now. */
  readonly capacity: Effect.Effect<Capacity>
  /** Updates the estimate of the store's clock from a claim. */
  readonly observeClock: (look: StoreClock.ClockReading) => Effect.Effect<void>
  /** Admits a claimed job, or returns what to do with its lease. */
  readonly admit: (claimedWork: ClaimedWork) => Effect.Effect<AdmittedJob | Refusal>
  readonly running: () => TaskCounts
  readonly outages: Effect.Effect<ReadonlyArray<Outage>>
}

/** The outcome of an attempt's call to an external host; undefined if no host was called. */
const replyOf = (ending: Ending): Reply | undefined => {
  const tag = failureOf(ending)?._tag
  if (tag === "ReceiverUnreachable" || tag === "MediaUnreachable") return "TimedOut"
  return ending._tag === "Succeeded" || tag === "ReceiverRefused" ? "Answered" : undefined
}

/** Creates the admission for one worker without running work. */
export const make = (parts: {
  readonly circuits: Circuits["Service"]
  readonly clock: Clock.Clock
  readonly concurrency: TaskCounts
  readonly laneConcurrency: number
  readonly media: MediaIdentity["Service"]
  /** Tasks that do not begin; running attempts continue. */
  readonly paused: MutableRef.MutableRef<ReadonlyArray<Task>>
  readonly transcriber: Transcriber["Service"]
}): Admission => {
  const { circuits, clock, media, paused, transcriber } = parts
  const slots = makeSlots(parts.concurrency, parts.laneConcurrency)
  const isQuiet = Latch.makeUnsafe(true)
  let isolation: Isolation.Isolation = Isolation.notIsolated
  let isolatedTask: Task | undefined
  let backoff: Isolation.SuspectBackoff | undefined
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
      !(task !== undefined && isNotification(task) && isDoubted())
    )
  }

  const checkMedia = Effect.tap(media.verify, ({ _tag }) =>
    Effect.sync(() => {
      isOurs = _tag === "Ours"
    })
  )

  /** Whether the media store is known to be ours. Only the first claim waits for this check. */
  const isMediaOurs = Effect.suspend(() => {
    if (isOurs === undefined) return Effect.map(checkMedia, ({ _tag }) => _tag === "Ours")
    return Effect.as(Effect.forkDetach(checkMedia), isOurs)
  })

  /** Whether a task is not paused, and this process has everything that the task needs. */
  const isServed = Effect.fnUntraced(function* (task: Task) {
    if (MutableRef.get(paused).includes(task)) return false
    if (task === "Transcribe" && (yield* transcriber.readiness)._tag !== "Ready") return false
    return !needs[task].includes("MediaStore") || (yield* isMediaOurs)
  })

  /** Returns the number of free slots of a task in which an attempt can begin. */
  const slotsOf = Effect.fnUntraced(function* (task: Task, free: number) {
    const state = yield* circuits.state(task)
    if (free === 0 || state === "Shut" || !mayClaim(task)) return 0
    if (!(yield* isServed(task))) return 0
    return state === "Trial" ? 1 : free
  })

  /** Whether a task can begin alone, because its dependencies work or a trial is allowed. */
  const mayIsolate = Effect.fnUntraced(function* (task: Task) {
    return (yield* circuits.state(task)) !== "Shut" && (yield* isServed(task))
  })

  /**
   * Isolated work gets one slot, and only in a process that can run every task, because its task is
   * known only after the claim.
   */
  const isolatedSlots = Effect.fnUntraced(function* () {
    const isPaused = Task.literals.every((task) => MutableRef.get(paused).includes(task))
    if (isPaused || parts.concurrency.Transcribe === 0 || !mayClaim("Isolate")) return 0
    const isDue = Isolation.mayClaimSuspect(backoff, now())
    if (backoff !== undefined && !isDue && !(yield* mayIsolate(backoff.task))) return 0
    isolation = Isolation.afterRequest(isolation, now())
    return 1
  })

  const capacity = Effect.gen(function* () {
    const free = slots.capacity()
    const kinds: Partial<Record<WorkKind, number>> = {}
    for (const task of Task.literals) {
      const count = yield* slotsOf(task, free.kinds[task] ?? 0)
      if (count > 0) kinds[task] = Math.min(count, free.kinds[task] ?? 0)
    }
    const alone = yield* isolatedSlots()
    if (alone > 0) kinds.Isolate = alone
    return { ...free, kinds }
  })

  const becomeAlone = Effect.sync(() => {
    isolation = Isolation.begun(isolation, now())
  })

  const updateQuiet = () => {
    if (Task.literals.some((each) => slots.running()[each] > 0)) isQuiet.closeUnsafe()
    else isQuiet.openUnsafe()
  }

  const admit = Effect.fnUntraced(function* ({
    job,
    work
  }: ClaimedWork): Effect.fn.Return<AdmittedJob | Refusal> {
    const step = currentStep(job)
    if (step._tag === "Idle") return "NotNow"
    const isAlone = work.kind === "Isolate"
    // Checks the job again, because the claim may have been sent before a job was isolated, or
    // before the clock was in doubt.
    if (isAlone ? isolation._tag !== "None" : !mayClaim(work.kind)) return "NotNow"
    if (isAlone && !(yield* mayIsolate(step.task))) {
      isolation = Isolation.notIsolated
      backoff = Isolation.afterMiss(backoff, { now: now(), task: step.task })
      return "OutOfReach"
    }
    const trial = yield* circuits.begin(step.task)
    if (isAlone) {
      isolation = Isolation.afterClaim(isolation)
      isolatedTask = step.task
      // Ends the backoff for this task; a backoff for another task stays unchanged.
      if (backoff?.task === step.task) backoff = undefined
    } else slots.take(work)
    updateQuiet()
    const finish = (ending: Ending) =>
      Effect.suspend(() => {
        if (isAlone) {
          isolation = Isolation.afterEnd(isolation, now())
          isolatedTask = undefined
        } else {
          const reply = replyOf(ending)
          if (reply !== undefined) slots.note(work, reply)
          slots.give(work)
        }
        updateQuiet()
        return circuits.end(trial, ending)
      })
    const ready = isAlone ? Effect.andThen(isQuiet.await, becomeAlone) : Effect.void
    return { ready, finish }
  })

  const running = () => {
    const counts = slots.running()
    return isolatedTask === undefined
      ? counts
      : { ...counts, [isolatedTask]: counts[isolatedTask] + 1 }
  }

  const observeClock = Effect.fnUntraced(function* (look: StoreClock.ClockReading) {
    const wasDoubted = isDoubted()
    storeClock =
      storeClock === undefined
        ? StoreClock.first(look, clock.currentTimeMillisUnsafe())
        : StoreClock.update(storeClock, look)
    if (!wasDoubted && isDoubted()) {
      yield* Effect.logWarning("The store's clock was set forward: webhooks and notices wait")
    }
  })

  return { capacity, observeClock, admit, running, outages: circuits.outages }
}
