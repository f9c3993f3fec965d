/**
 * Port: lists running workers and pending work, and pauses tasks, for operators. A worker does not
 * depend on the registry: without a response, it uses the previous one.
 */

import { Context, type DateTime, Duration, type Effect, type Option, Schema } from "effect"
import { Dependency, Task, type WorkKind } from "../domain/attempt/Work.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/** Identifies one run of a worker. */
export const WorkerId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WorkerId"))
export type WorkerId = typeof WorkerId.Type

/** A dependency that a worker cannot use. */
export const Outage = Schema.Struct({
  dependency: Dependency,
  /** Number of consecutive failures of the dependency. */
  failures: Schema.Int,
  /** The dependency's error, if any, without secrets; never shown to callers. */
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

/** A worker's regular report on its own state. */
export interface WorkerReport {
  readonly id: WorkerId
  /** A readable name: the machine, the process and its version. */
  readonly name: string
  /** Running attempts of each task. */
  readonly running: Readonly<Record<Task, number>>
  readonly outages: ReadonlyArray<Outage>
  readonly failures: ReadonlyArray<FailureCount>
}

/** A worker's last report, and the store's times of its first and last reports. */
export interface RegisteredWorker extends WorkerReport {
  readonly startedAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
}

/** Counts of pending work. */
export interface BacklogCounts {
  /** Work that is due, and not leased. */
  readonly due: number
  /** Work that is not leased, and not due yet. */
  readonly later: number
  /** Work under a lease that has not lapsed. */
  readonly leased: number
  /** The time when the oldest due task began to wait. */
  readonly dueSince: Option.Option<DateTime.Utc>
}

/** Pending work of one kind in one lane. */
export interface LaneBacklog extends BacklogCounts {
  /** The workspace; empty if an older release wrote the work without a workspace. */
  readonly workspaceId: string
  readonly lane: string
}

/** All pending work of one kind, with its largest lanes. */
export interface KindBacklog extends BacklogCounts {
  readonly kind: WorkKind
  /** The number of lanes of this kind. Work that connects to no other host has no lane. */
  readonly laneCount: number
  /**
   * The first `shownLanesMax` lanes, ordered by most due work, then most work in total, then
   * workspace and name.
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
  /** The paused tasks. */
  readonly paused: ReadonlyArray<Task>
}

/** The number of jobs that ended within an hour. */
export interface EndedJobs {
  /** The beginning of the hour, in UTC. */
  readonly from: DateTime.Utc
  /** Jobs that ended without a failure. */
  readonly completed: number
  /** Jobs with a `failureName`. */
  readonly failed: number
}

/** How far back ended jobs are counted. */
export const endedRange: Duration.Duration = Duration.days(1)

/** How long a worker can go without a report before it is deleted from the registry. */
export const workerTtl: Duration.Duration = Duration.days(1)

/** The registry did not respond. */
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
    /** Replaces the paused tasks. Of concurrent calls, one wins. The call is safe to retry. */
    readonly pause: (tasks: ReadonlyArray<Task>) => Effect.Effect<void, WorkerRegistryError>
    /**
     * An approximate snapshot of all workers and pending work. The query reads all pending work,
     * but no finished work. It is meant for people, and is too expensive to run in a loop.
     */
    readonly survey: Effect.Effect<WorkerOverview, WorkerRegistryError>
    /**
     * The number of jobs that ended in the last `endedRange`, in all workspaces, by hour, oldest
     * first; hours without ended jobs are left out. Deleted jobs are not counted. The query reads
     * an index entry for each of these jobs, and no other jobs.
     */
    readonly ended: Effect.Effect<ReadonlyArray<EndedJobs>, WorkerRegistryError>
  }
>()("@verbatim/core/ports/WorkerRegistry") {}
