/**
 * Implements `WorkerRegistry` with the workers of this process and the work rows of the in-memory
 * `JobStore`.
 */

import type { Task, WorkKind } from "@verbatim/core/attempt"
import { failureName, laneOf, shownLanesMax } from "@verbatim/core/job"
import {
  type BacklogCounts,
  type EndedJobs,
  endedRange,
  type KindBacklog,
  type LaneBacklog,
  type RegisteredWorker,
  type WorkerId,
  WorkerRegistry,
  workerTtl
} from "@verbatim/core/ports"
import { Array, DateTime, Effect, Layer, Option, Order } from "effect"
import { isDue, isFree, type JobRow, MemoryDatabase, type WorkRow } from "./MemoryDatabase.ts"

const oldestFirst: Order.Order<RegisteredWorker> = Order.combine(
  Order.mapInput(DateTime.Order, ({ startedAt }: RegisteredWorker) => startedAt),
  Order.mapInput(Order.String, ({ id }: RegisteredWorker) => id)
)

const countsOf = (rows: ReadonlyArray<WorkRow>, now: DateTime.Utc): BacklogCounts => {
  const free = rows.filter((row) => isFree(row, now))
  const due = free.filter((row) => isDue(row, now))
  const [first] = due.map(({ work }) => work.dueAt).sort(DateTime.Order)
  return {
    due: due.length,
    later: free.length - due.length,
    leased: rows.length - free.length,
    dueSince: Option.fromUndefinedOr(first)
  }
}

const descending = Order.flip(Order.Number)

const mostDueFirst: Order.Order<LaneBacklog> = Order.combineAll([
  Order.mapInput(descending, ({ due }: LaneBacklog) => due),
  Order.mapInput(descending, ({ due, later, leased }: LaneBacklog) => due + later + leased),
  Order.mapInput(Order.String, ({ workspaceId }: LaneBacklog) => workspaceId),
  Order.mapInput(Order.String, ({ lane }: LaneBacklog) => lane)
])

const lanesOf = (rows: ReadonlyArray<WorkRow>, now: DateTime.Utc): ReadonlyArray<LaneBacklog> => {
  const byLane = Map.groupBy(rows, ({ work }) => laneOf(work))
  return [...byLane.values()]
    .flatMap((ofLane) => {
      const { lane = null, workspaceId = "" } = ofLane[0]?.work ?? {}
      return lane === null ? [] : [{ workspaceId, lane, ...countsOf(ofLane, now) }]
    })
    .sort(mostDueFirst)
}

const backlogOf = (
  rows: ReadonlyArray<WorkRow>,
  kind: WorkKind,
  now: DateTime.Utc
): KindBacklog => {
  const ofKind = rows.filter(({ work }) => work.kind === kind)
  const lanes = lanesOf(ofKind, now)
  return {
    kind,
    ...countsOf(ofKind, now),
    laneCount: lanes.length,
    lanes: lanes.slice(0, shownLanesMax)
  }
}

const countEnded = (jobs: Iterable<JobRow>, now: DateTime.Utc): ReadonlyArray<EndedJobs> => {
  const range = { minimum: DateTime.subtractDuration(now, endedRange), maximum: now }
  const hours = new Map<number, EndedJobs>()
  for (const { end, job } of jobs) {
    const { endedAt } = end
    if (Option.isNone(endedAt) || !DateTime.between(endedAt.value, range)) continue
    const from = DateTime.startOf(endedAt.value, "hour")
    const { completed, failed } = hours.get(from.epochMilliseconds) ?? { completed: 0, failed: 0 }
    const hour =
      failureName(job) === undefined
        ? { from, completed: completed + 1, failed }
        : { from, completed, failed: failed + 1 }
    hours.set(from.epochMilliseconds, hour)
  }
  return [...hours.values()].sort((one, other) => DateTime.Order(one.from, other.from))
}

/** Provides a `WorkerRegistry` in this process's memory. */
export const layer: Layer.Layer<WorkerRegistry, never, MemoryDatabase> = Layer.effect(
  WorkerRegistry,
  Effect.gen(function* () {
    const { jobs, work } = yield* MemoryDatabase
    const workers = new Map<WorkerId, RegisteredWorker>()
    let paused: ReadonlyArray<Task> = []

    return WorkerRegistry.of({
      report: (report) =>
        Effect.map(DateTime.now, (now) => {
          const startedAt = workers.get(report.id)?.startedAt ?? now
          workers.set(report.id, { ...report, startedAt, seenAt: now })
          const forgotten = DateTime.subtractDuration(now, workerTtl)
          for (const { id, seenAt } of workers.values()) {
            if (DateTime.isLessThan(seenAt, forgotten)) workers.delete(id)
          }
          return paused
        }),
      leave: (id) => Effect.sync(() => void workers.delete(id)),
      pause: (tasks) =>
        Effect.sync(() => {
          paused = tasks
        }),
      survey: Effect.map(DateTime.now, (now) => {
        const rows = [...work.values()]
        const kinds = Array.sort(new Set(rows.map((row) => row.work.kind)), Order.String)
        return {
          now,
          workers: [...workers.values()].sort(oldestFirst),
          backlog: kinds.map((kind) => backlogOf(rows, kind, now)),
          paused
        }
      }),
      ended: Effect.map(DateTime.now, (now) => countEnded(jobs.values(), now))
    })
  })
)
