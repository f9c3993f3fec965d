/**
 * Executes all code in a run. The seed picks the next runnable task. If there is none, time jumps
 * to the earliest timer.
 *
 * Every task and timer belongs to an actor. If an actor dies, its tasks and timers are dropped, so
 * no finalizer runs.
 */
import type { Dice } from "./Seed.ts"

type Task = () => void

/** The owner of tasks: the world itself, or one lifetime of a process. */
export interface Actor {
  readonly name: string
  status: "Running" | "Paused" | "Dead"
  /** Tasks that became runnable while the actor was paused. */
  readonly held: Array<Task>
}

/** Creates a running actor. */
export const actor = (name: string): Actor => ({ name, status: "Running", held: [] })

interface Timer {
  readonly at: number
  /** A random number that orders timers due at the same time. */
  readonly tie: number
  readonly owner: Actor
  task: Task | null
}

/** Why a run stopped before its end. */
type Stop = "nothing can happen any more" | "it never comes to an end"

/** The simulated time and the task queue of a run. */
export interface Timeline {
  /** Whole milliseconds since the run began. */
  readonly now: () => number
  /** Number of tasks that have run so far. */
  readonly steps: () => number
  /** Adds a runnable task. */
  readonly enqueue: (owner: Actor, task: Task) => void
  /** Makes a task runnable later. The returned function cancels the task. */
  readonly after: (owner: Actor, millis: number, task: Task) => () => void
  readonly pause: (owner: Actor) => void
  readonly resume: (owner: Actor) => void
  /** Runs tasks until `isDone` returns true or no task can run. */
  readonly run: (isDone: () => boolean) => Stop | null
}

/** Maximum number of steps. A run that reaches this limit is stuck in a loop. */
const stepMax = 3_000_000

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.tie < b.tie)

/** Adds a timer to a list that is sorted from the latest timer to the earliest. */
const addTimer = (timers: Array<Timer>, timer: Timer): void => {
  const place = timers.findLastIndex((other) => isBefore(timer, other))
  timers.splice(place + 1, 0, timer)
}

const pause = (owner: Actor): void => {
  if (owner.status === "Running") owner.status = "Paused"
}

/** Ends an actor's pause, and returns the tasks that waited for this. */
const wake = (owner: Actor): ReadonlyArray<Task> => {
  if (owner.status !== "Paused") return []
  owner.status = "Running"
  return owner.held.splice(0)
}

/** Creates an empty timeline that calls `onStep` before each task. */
export const make = (chance: Dice, onStep: (owner: Actor, turn: number) => void): Timeline => {
  const tasks: Array<{ readonly owner: Actor; readonly task: Task }> = []
  const timers: Array<Timer> = []
  let now = 0
  let steps = 0

  const enqueue = (owner: Actor, task: Task) => {
    if (owner.status === "Running") tasks.push({ owner, task })
    else if (owner.status === "Paused") owner.held.push(task)
  }

  /** Runs one of the runnable tasks. */
  const step = () => {
    const turn = chance.below(tasks.length)
    const next = tasks[turn]
    const last = tasks.pop()
    if (next === undefined || last === undefined) return
    if (turn < tasks.length) tasks[turn] = last
    // The task's actor may have been paused or killed since the task was added.
    if (next.owner.status !== "Running") return enqueue(next.owner, next.task)
    steps += 1
    onStep(next.owner, turn)
    // `onStep` may have ended the task's actor.
    if (next.owner.status === "Running") next.task()
    else enqueue(next.owner, next.task)
  }

  return {
    now: () => now,
    steps: () => steps,
    enqueue,
    after: (owner, millis, task) => {
      const at = now + Math.max(0, Math.ceil(millis))
      const timer: Timer = { at, tie: chance.next(), owner, task }
      addTimer(timers, timer)
      return () => {
        timer.task = null
      }
    },
    pause,
    resume: (owner) => {
      for (const task of wake(owner)) enqueue(owner, task)
    },
    run: (isDone) => {
      while (!isDone()) {
        if (steps > stepMax) return "it never comes to an end"
        if (tasks.length > 0) {
          step()
          continue
        }
        const timer = timers.pop()
        if (timer === undefined) return "nothing can happen any more"
        if (timer.task === null || timer.owner.status === "Dead") continue
        now = Math.max(now, timer.at)
        enqueue(timer.owner, timer.task)
      }
      return null
    }
  }
}
