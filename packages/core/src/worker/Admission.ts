/**
 * Decides which work a worker can take now. Some work waits even though slots are free: recognition
 * if no engine is ready, work on media if the media store does not belong to the database, and
 * tasks with an unreachable dependency. Webhooks and notices wait while the store's clock is in
 * doubt, and all other work waits while a task runs alone.
 */
import { type Clock, Effect, Latch, MutableRef } from "effect"
import { isNotification, Task, taskOf, type Work, type WorkKind } from "../domain/attempt/Work.ts"
import { currentStep } from "../domain/job/CurrentStep.ts"
import type { Job } from "../domain/job/Job.ts"
import type { Transcriber } from "../ports/Transcriber.ts"
import type { Capacity } from "../ports/WorkQueue.ts"
import type { MediaIdentity } from "../services/tasks/MediaIdentity.ts"
import { type Ending, failureOf } from "./AttemptEnd.ts"
import type { Circuits } from "./Circuits.ts"
import { needs } from "./Circuits.ts"
import * as Isolation from "./Isolation.ts"
import { make as makeSlots, type Reply, type TaskCounts } from "./Slots.ts"
import * as StoreClock from "./StoreClock.ts"

/** A job that was admitted and holds a slot. */
export interface AdmittedJob {
  /** An effect that completes when the job's attempt can begin. */
  readonly ready: Effect.Effect<void>
  /** Releases the job's slot. */
  readonly finish: (ending: Ending) => Effect.Effect<void>
}

/** A claimed job that is not admitted yet. */
interface ClaimedWork {
  readonly job: Job
  readonly work: Work
}

/**
 * The reason why a claimed job is not admitted. `NotNow` releases the job. `OutOfReach` keeps the
 * job's lease until it lapses, so that the next claim finds other work.
 */
type Refusal = "NotNow" | "OutOfReach"

/**
 * Returns whether the external host that an attempt called has responded; undefined if no host was
 * called.
 */
const replyOf = (ending: Ending): Reply | undefined => {
  const tag = failureOf(ending)?._tag
  if (tag === "ReceiverUnreachable" || tag === "MediaUnreachable") return "TimedOut"
  return ending._tag === "Succeeded" || tag === "ReceiverRefused" ? "Answered" : undefined
}

/** The parts of a worker that decide which work is admitted. */
interface Parts {
  readonly circuits: Circuits
  readonly clock: Clock.Clock
  readonly concurrency: TaskCounts
  readonly laneConcurrency: number
  readonly media: MediaIdentity["Service"]
  /** The paused tasks. No new attempts at them begin, but running attempts continue. */
  readonly paused: MutableRef.MutableRef<ReadonlyArray<Task>>
  readonly transcriber: Transcriber["Service"]
}

/** Creates the state and the decisions that claims and admissions have in common. */
const makeShared = (parts: Parts) => {
  const { circuits, clock } = parts
  const slots = makeSlots(parts.concurrency, parts.laneConcurrency)
  const storeClock = StoreClock.watch(clock)
  const isServed = makeIsServed(parts)

  /** The work that runs alone, or is waiting to run alone. */
  const state = {
    isolation: Isolation.notIsolated,
    isolatedTask: undefined as Task | undefined,
    backoff: undefined as Isolation.SuspectBackoff | undefined
  }

  const now = () => clock.monotonicTimeNanosUnsafe()
  const isBusy = () =>
    Task.literals.some((each) => Isolation.isShared(each) && slots.running()[each] > 0)

  const mayClaim = (kind: WorkKind): boolean => {
    const task = taskOf(kind)
    const { isolation } = state
    return (
      Isolation.mayClaim(kind, { isolation, isBusy: isBusy(), now: now() }) &&
      !(task !== undefined && isNotification(task) && storeClock.isDoubted())
    )
  }

  /** Whether a task can begin alone, because its dependencies work or a trial is allowed. */
  const mayIsolate = (task: Task) =>
    Effect.suspend(() => (circuits.state(task) === "Shut" ? Effect.succeed(false) : isServed(task)))

  return { ...parts, isServed, mayClaim, mayIsolate, now, slots, state, storeClock }
}

type Shared = ReturnType<typeof makeShared>

export type Admission = ReturnType<typeof make>

/** Creates the part of a worker that decides which work is admitted. No work is running yet. */
export const make = (parts: Parts) => {
  const shared = makeShared(parts)
  const { slots, state, storeClock } = shared

  return {
    /** Returns the work that can be claimed now. */
    capacity: makeCapacity(shared),
    /** Uses a claim to update the estimate of the store's clock. */
    observeClock: Effect.fnUntraced(function* (seen: StoreClock.ClockReading) {
      const wasDoubted = storeClock.isDoubted()
      storeClock.observe(seen)
      if (!wasDoubted && storeClock.isDoubted()) {
        yield* Effect.logWarning("The store's clock was set forward: webhooks and notices wait")
      }
    }),
    /** Admits a claimed job, or returns what to do with its lease. */
    admit: makeAdmit(shared),
    running: (): TaskCounts => {
      const counts = slots.running()
      const { isolatedTask } = state
      return isolatedTask === undefined
        ? counts
        : { ...counts, [isolatedTask]: counts[isolatedTask] + 1 }
    }
  }
}

/** Creates a function that checks whether this process has everything that a task needs. */
const makeIsServed = ({ media, paused, transcriber }: Parts) => {
  let isOurs: boolean | undefined

  const checkMedia = Effect.tap(media.verify, ({ _tag }) =>
    Effect.sync(() => {
      isOurs = _tag === "Ours"
    })
  )

  /** Whether the media store is known to be ours. Only the first claim waits for the check. */
  const isMediaOurs = Effect.suspend(() => {
    if (isOurs === undefined) return Effect.map(checkMedia, ({ _tag }) => _tag === "Ours")
    return Effect.as(Effect.forkDetach(checkMedia), isOurs)
  })

  /** Whether a task is not paused, and this process has everything that the task needs. */
  return Effect.fnUntraced(function* (task: Task) {
    if (MutableRef.get(paused).includes(task)) return false
    if (task === "Transcribe" && (yield* transcriber.readiness)._tag !== "Ready") return false
    return !needs[task].includes("MediaStore") || (yield* isMediaOurs)
  })
}

/** Creates an effect that returns the work that can be claimed now. */
const makeCapacity = (shared: Shared) => {
  const { circuits, concurrency, isServed, mayClaim, mayIsolate, now, paused, slots, state } =
    shared

  /** Returns how many attempts at a task can begin now. */
  const slotsOf = Effect.fnUntraced(function* (task: Task, free: number) {
    const circuit = circuits.state(task)
    if (free === 0 || circuit === "Shut" || !mayClaim(task)) return 0
    if (!(yield* isServed(task))) return 0
    return circuit === "Trial" ? 1 : free
  })

  /**
   * Returns the number of slots for isolated work: one, and only in a process that can run every
   * task, because its task is known only after the claim.
   */
  const isolatedSlots = Effect.fnUntraced(function* () {
    const isPaused = Task.literals.every((task) => MutableRef.get(paused).includes(task))
    if (isPaused || concurrency.Transcribe === 0 || !mayClaim("Isolate")) return 0
    const isDue = Isolation.mayClaimSuspect(state.backoff, now())
    if (state.backoff !== undefined && !isDue && !(yield* mayIsolate(state.backoff.task))) return 0
    state.isolation = Isolation.afterRequest(state.isolation, now())
    return 1
  })

  return Effect.gen(function* (): Effect.fn.Return<Capacity> {
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
}

/** Creates a function that admits a claimed job. */
const makeAdmit = (shared: Shared) => {
  const { circuits, mayClaim, mayIsolate, now, slots, state } = shared
  const isQuiet = Latch.makeUnsafe(true)

  const becomeAlone = Effect.sync(() => {
    state.isolation = Isolation.begun(state.isolation, now())
  })

  const updateQuiet = () => {
    if (Task.literals.some((each) => slots.running()[each] > 0)) isQuiet.closeUnsafe()
    else isQuiet.openUnsafe()
  }

  return Effect.fnUntraced(function* ({
    job,
    work
  }: ClaimedWork): Effect.fn.Return<AdmittedJob | Refusal> {
    const step = currentStep(job)
    if (step._tag === "Idle") return "NotNow"
    const isAlone = work.kind === "Isolate"
    // The job is checked again, because the claim may have been sent before another job was
    // isolated, or before the clock was in doubt.
    if (isAlone ? state.isolation._tag !== "None" : !mayClaim(work.kind)) return "NotNow"
    if (isAlone && !(yield* mayIsolate(step.task))) {
      state.isolation = Isolation.notIsolated
      state.backoff = Isolation.afterMiss(state.backoff, { now: now(), task: step.task })
      return "OutOfReach"
    }
    const trial = circuits.begin(step.task)
    if (isAlone) {
      state.isolation = Isolation.afterClaim(state.isolation)
      state.isolatedTask = step.task
      // This ends the backoff for this task; a backoff for another task stays unchanged.
      if (state.backoff?.task === step.task) state.backoff = undefined
    } else slots.take(work)
    updateQuiet()
    const finish = (ending: Ending) =>
      Effect.suspend(() => {
        if (isAlone) {
          state.isolation = Isolation.afterEnd(state.isolation, now())
          state.isolatedTask = undefined
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
}
