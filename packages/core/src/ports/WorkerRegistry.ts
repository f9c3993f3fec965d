/**
 * Port: lists running workers and pending work, and pauses tasks, for operators. A worker does not
 * depend on the registry: without a response, it uses the previous one.
 */

import { Context, type DateTime, Duration, type Effect, type Option, Schema } from "effect"
import { Dependency, Task, type WorkKind } from "../domain/attempt/Work.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/** The id of a worker. It is new each time the worker starts. */
export const WorkerId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WorkerId"))
export type WorkerId = typeof WorkerId.Type

/** A dependency that a worker cannot use. */
export const Outage = Schema.Struct({
  dependency: Dependency,
  /** Number of consecutive failures of the dependency. */
  failures: Schema.Int,
  /** The dependency's error, if any, without secrets. Callers never see it. */
  cause: Schema.optionalKey(Schema.String)
})
export type Outage = typeof Outage.Type

/** Number of tasks that a worker gave up on, for one reason, in the last hour. */
export const FailureCount = Schema.Struct({
  task: Task,
  /** The name of the failure. */
  reason: Schema.String,
  count: Schema.Int
})
export type FailureCount = typeof FailureCount.Type

/** The report that a worker sends regularly about itself. */
export interface WorkerReport {
  readonly id: WorkerId
  /** A readable name: the machine, the process and the version. */
  readonly name: string
  /** Number of running attempts of each task. */
  readonly running: Readonly<Record<Task, number>>
  readonly outages: ReadonlyArray<Outage>
  readonly failures: ReadonlyArray<FailureCount>
}

/** A worker's last report, with the times of its first and last reports on the store's clock. */
export interface RegisteredWorker extends WorkerReport {
  readonly startedAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
}

/** Numbers of pending tasks. */
export interface BacklogCounts {
  /** Number of tasks that are due and not leased. */
  readonly due: number
  /** Number of tasks that are neither leased nor due. */
  readonly later: number
  /** Number of tasks with a lease that has not lapsed. */
  readonly leased: number
  /** The time since which the oldest due task has been waiting. */
  readonly dueSince: Option.Option<DateTime.Utc>
}

/** The pending work of one kind in one lane. */
export interface LaneBacklog extends BacklogCounts {
  /** The workspace; empty if an older release wrote the work without one. */
  readonly workspaceId: string
  readonly lane: string
}

/** All pending work of one kind, with the largest lanes. */
export interface KindBacklog extends BacklogCounts {
  readonly kind: WorkKind
  /**
   * The number of lanes with this kind of work. Work that connects to no other host has no lane.
   */
  readonly laneCount: number
  /**
   * The first `shownLanesMax` lanes: those with the most due work, then those with the most work,
   * then by workspace and name.
   */
  readonly lanes: ReadonlyArray<LaneBacklog>
}

/** Running workers and pending work, as an operator sees them. */
export interface WorkerOverview {
  /** The store's own time. */
  readonly now: DateTime.Utc
  /** Running workers, the oldest first. */
  readonly workers: ReadonlyArray<RegisteredWorker>
  /**
   * Pending work by kind, in the order of the kinds' names; kinds without pending work are left
   * out.
   */
  readonly backlog: ReadonlyArray<KindBacklog>
  /** The tasks that are paused. */
  readonly paused: ReadonlyArray<Task>
}

/** Counts of the jobs that ended within one hour. */
export interface EndedJobs {
  /** The beginning of the hour, in UTC. */
  readonly from: DateTime.Utc
  /** Number of jobs that ended without a failure. */
  readonly completed: number
  /** Number of jobs that ended with a failure, as `failureName` defines it. */
  readonly failed: number
}

/** How far back ended jobs are counted. */
export const endedRange: Duration.Duration = Duration.days(1)

/** How long a worker can go without a report before it is removed from the registry. */
export const workerTtl: Duration.Duration = Duration.days(1)

/** The worker registry did not respond. */
export class WorkerRegistryError extends refusal<WorkerRegistryError>()("WorkerRegistryError", {
  fields: { operation: Schema.String, cause: Schema.Defect() },
  sentence: ({ operation }) => `The registry of workers failed (${operation})`
}) {}

export class WorkerRegistry extends Context.Service<
  WorkerRegistry,
  {
    /**
     * Replaces a worker's last report, and deletes the reports of workers that stopped long ago.
     * Returns the paused tasks.
     */
    readonly report: (
      report: WorkerReport
    ) => Effect.Effect<ReadonlyArray<Task>, WorkerRegistryError>
    /** Deletes the report of a worker that has ended. The call is safe to retry. */
    readonly leave: (id: WorkerId) => Effect.Effect<void, WorkerRegistryError>
    /** Sets the paused tasks. Of several concurrent calls, one wins. The call is safe to retry. */
    readonly pause: (tasks: ReadonlyArray<Task>) => Effect.Effect<void, WorkerRegistryError>
    /**
     * Returns an approximate snapshot of all workers and pending work. The query reads all pending
     * work, but no finished work. It is meant for people, and is too expensive to run in a loop.
     */
    readonly survey: Effect.Effect<WorkerOverview, WorkerRegistryError>
    /**
     * Returns the numbers of jobs that ended in the last `endedRange`, in all workspaces, by hour,
     * the oldest first; hours without ended jobs are left out. Deleted jobs are not counted. The
     * query reads one index entry for each of these jobs, and no other jobs.
     */
    readonly ended: Effect.Effect<ReadonlyArray<EndedJobs>, WorkerRegistryError>
  }
>()("@verbatim/core/ports/WorkerRegistry") {}
