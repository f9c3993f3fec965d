/**
 * How much a worker may take on: attempts side by side for each task, and in each lane. A lane
 * whose host does not answer gets less.
 */
import { Context } from "effect"
import { Task, taskOf, type Work, WorkKind } from "../domain/attempt/Work.ts"
import { type LaneRoom, laneOf } from "../domain/job/Lane.ts"
import type { Capacity } from "../ports/WorkQueue.ts"

/** A number for each task. */
export type TaskCounts = Readonly<Record<Task, number>>

/**
 * How many attempts of each kind run side by side in one process. Notices have `noticesMax` unless
 * stated, and 0 in a process without a listener.
 */
export type Concurrency = Omit<TaskCounts, "Notify"> & Partial<Pick<TaskCounts, "Notify">>

/** Concurrent calls of the listener unless stated: enough for one that waits, and few in all. */
export const noticesMax = 16

/**
 * Downloads of one workspace from one origin, or webhooks to one, at the same time in one process.
 * A slow one holds no more.
 */
export const LaneMax: Context.Reference<number> = Context.Reference(
  "@verbatim/core/worker/LaneMax",
  { defaultValue: () => 4 }
)

/** What became of a request to another host. A refusal is an answer too. */
export type Reply = "Answered" | "TimedOut"

/**
 * How many of the latest silent hosts are remembered: each claim names them. Host names are free,
 * so anybody could have any number of them.
 */
export const silentMax = 128

/** A count of what is taken. */
export interface Slots {
  readonly take: (work: Work) => void
  readonly give: (work: Work) => void
  /**
   * Takes note of how the host of a lane behaves. After one time-out the lane has half its slots,
   * after more a single one, after an answer all of them.
   */
  readonly note: (work: Work, reply: Reply) => void
  /** How many more attempts of a task may begin. */
  readonly free: (task: Task) => number
  /** The same for each kind that has room. */
  readonly room: () => Capacity
  readonly running: () => TaskCounts
}

/** Counts by name; a zero is left out. */
const counter = () => {
  const counts = new Map<string, number>()
  const add = (name: string, by: number) => {
    const count = (counts.get(name) ?? 0) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return { add, counts }
}

/** The lanes whose hosts are silent, and the slots that each has lost. */
const penalties = (laneMax: number) => {
  const timeOuts = new Map<string, number>()
  const note = (lane: string | null, reply: Reply) => {
    if (lane === null) return
    const before = timeOuts.get(lane) ?? 0
    // The latest note is remembered longest.
    timeOuts.delete(lane)
    if (reply === "Answered") return
    timeOuts.set(lane, before + 1)
    const [oldest] = timeOuts.keys()
    if (timeOuts.size > silentMax && oldest !== undefined) timeOuts.delete(oldest)
  }
  const slotsAfter = (count: number) => (count === 1 ? Math.max(1, Math.floor(laneMax / 2)) : 1)
  const lost = () => [...timeOuts].map(([lane, n]) => [lane, laneMax - slotsAfter(n)] as const)
  return { note, lost }
}

/** Empty slots. */
export const make = (concurrency: TaskCounts, laneMax: LaneRoom["max"]): Slots => {
  const { add: countKind, counts: kinds } = counter()
  const { add: countLane, counts: lanes } = counter()
  const workspaces = new Map(Task.literals.map((kind) => [kind, counter()] as const))
  const silent = penalties(laneMax)
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
    take: (work) => move(work, 1),
    give: (work) => move(work, -1),
    note: (work, reply) => silent.note(laneOf(work), reply),
    free,
    room: () => ({
      kinds: Object.fromEntries(
        Task.literals.map((task) => [task, free(task)] as const).filter(([, slots]) => slots > 0)
      ),
      held: Object.fromEntries(
        WorkKind.literals.map((kind) => [kind, heldOf(taskOf(kind))] as const)
      ),
      lanes: { max: laneMax, taken: taken() }
    }),
    running: () => ({
      Fetch: running("Fetch"),
      Transcribe: running("Transcribe"),
      Summarize: running("Summarize"),
      Deliver: running("Deliver"),
      Notify: running("Notify")
    })
  }
}
