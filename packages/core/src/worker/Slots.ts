/**
 * Counts the slots of a worker, each of which holds one attempt, per task and lane. A lane gets
 * fewer slots if its host does not respond.
 */
import { Context } from "effect"
import { Task, taskOf, type Work, WorkKind } from "../domain/attempt/Work.ts"
import { type LaneCapacity, laneOf } from "../domain/job/Lane.ts"
import type { Capacity } from "../ports/WorkQueue.ts"

/** A number of attempts for each task. */
export type TaskCounts = Readonly<Record<Task, number>>

/**
 * Maximum number of concurrent attempts of each task in one process. For notices the default is
 * `noticesMax`, or 0 in a process without a listener.
 */
export type Concurrency = Omit<TaskCounts, "Notify"> & Partial<Pick<TaskCounts, "Notify">>

/**
 * Default number of concurrent calls to the listener: enough for a slow one, but not many in total.
 */
export const noticesMax = 16

/**
 * Maximum number of concurrent downloads from one origin, or webhooks to one origin, per workspace
 * and process. A slow origin occupies no more than this many slots.
 */
export const LaneConcurrency: Context.Reference<number> = Context.Reference(
  "@verbatim/core/worker/LaneConcurrency",
  { defaultValue: () => 4 }
)

/** The outcome of a request to another host. A refusal counts as a response. */
export type Reply = "Answered" | "TimedOut"

/**
 * Maximum number of silent hosts to remember. It is limited because each claim lists them, and a
 * caller can use any number of host names.
 */
export const silentMax = 128

/** Creates named counters. A counter at zero takes no memory. */
const counter = () => {
  const counts = new Map<string, number>()
  const add = (name: string, by: number) => {
    const count = (counts.get(name) ?? 0) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return { add, counts }
}

/** Remembers the lanes with silent hosts, and how many slots each has lost. */
const penalties = (laneConcurrency: number) => {
  const timeOuts = new Map<string, number>()
  const note = (lane: string | null, reply: Reply) => {
    if (lane === null) return
    const before = timeOuts.get(lane) ?? 0
    // The latest entry moves to the end, so that it is remembered longest.
    timeOuts.delete(lane)
    if (reply === "Answered") return
    timeOuts.set(lane, before + 1)
    const [oldest] = timeOuts.keys()
    if (timeOuts.size > silentMax && oldest !== undefined) timeOuts.delete(oldest)
  }
  const slotsAfter = (count: number) =>
    count === 1 ? Math.max(1, Math.floor(laneConcurrency / 2)) : 1
  const lost = () =>
    [...timeOuts].map(([lane, n]) => [lane, laneConcurrency - slotsAfter(n)] as const)
  return { note, lost }
}

/** Creates the slots of a worker. All of them are free. */
export const make = (concurrency: TaskCounts, laneConcurrency: LaneCapacity["max"]) => {
  const { add: countKind, counts: kinds } = counter()
  const { add: countLane, counts: lanes } = counter()
  const workspaces = new Map(Task.literals.map((kind) => [kind, counter()] as const))
  const silent = penalties(laneConcurrency)
  const move = (work: Work, by: 1 | -1) => {
    const task = taskOf(work.kind)
    if (task === undefined) return
    countKind(task, by)
    workspaces.get(task)?.add(work.workspaceId, by)
    const key = laneOf(work)
    if (key !== null) countLane(key, by)
  }
  const running = (kind: Task) => kinds.get(kind) ?? 0
  const free = (task: Task) => concurrency[task] - running(task)
  const heldOf = (task: Task | undefined) =>
    Object.fromEntries((task && workspaces.get(task)?.counts) ?? [])
  const taken = () => {
    const slots = new Map(lanes)
    for (const [lane, lost] of silent.lost()) slots.set(lane, (slots.get(lane) ?? 0) + lost)
    return Object.fromEntries(slots)
  }
  return {
    take: (work: Work) => move(work, 1),
    give: (work: Work) => move(work, -1),
    /**
     * Records the outcome of a request to a lane's host. After one timeout, the lane has half of
     * its slots; after more timeouts, one; and after a response, all of them.
     */
    note: (work: Work, reply: Reply) => silent.note(laneOf(work), reply),
    /** Returns the free slots for each kind of work; a kind without free slots is left out. */
    capacity: (): Capacity => ({
      kinds: Object.fromEntries(
        Task.literals.map((task) => [task, free(task)] as const).filter(([, slots]) => slots > 0)
      ),
      held: Object.fromEntries(
        WorkKind.literals.map((kind) => [kind, heldOf(taskOf(kind))] as const)
      ),
      lanes: { max: laneConcurrency, taken: taken() }
    }),
    running: (): TaskCounts => ({
      Fetch: running("Fetch"),
      Transcribe: running("Transcribe"),
      Summarize: running("Summarize"),
      Deliver: running("Deliver"),
      Notify: running("Notify")
    })
  }
}
