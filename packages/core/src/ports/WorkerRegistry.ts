/**
 * Port: lists running workers and pending work. It is for operators to look at: it decides nothing,
 * and a worker works just as well without it.
 */

import { Context, type DateTime, Duration, type Effect, type Option, Schema } from "effect"
import { Dependency, type Task, type WorkKind } from "../domain/attempt/Work.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/** Identifies a worker from its start to its end. */
export const WorkerId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WorkerId"))
export type WorkerId = typeof WorkerId.Type

/** A dependency that a worker cannot use. */
export const Outage = Schema.Struct({
  dependency: Dependency,
  /** Failures in a row. */
  failures: Schema.Int,
  /** The error it reported, if any, without secrets; never shown to callers. */
  cause: Schema.optionalKey(Schema.String)
})
export type Outage = typeof Outage.Type

/** The regular report of a worker about itself. */
export interface WorkerReport {
  readonly id: WorkerId
  /** For people: the machine, the process and its version. */
  readonly name: string
  /** Running attempts of each task. */
  readonly running: Readonly<Record<Task, number>>
  readonly outages: ReadonlyArray<Outage>
}

/** A worker's last report, with the store's time of its first and its last one. */
export interface RegisteredWorker extends WorkerReport {
  readonly startedAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
}

/** Counts of pending work. */
export interface BacklogCounts {
  /** Due, and not leased. */
  readonly due: number
  /** Not leased, and not due yet. */
  readonly later: number
  /** Under a lease that has not lapsed. */
  readonly leased: number
  /** The instant since which the first due piece has been waiting. */
  readonly dueSince: Option.Option<DateTime.Utc>
}

/** Pending work of one kind in one lane. */
export interface LaneBacklog extends BacklogCounts {
  /** Empty if an older program wrote the work without it. */
  readonly workspaceId: string
  readonly lane: string
}

/** Pending work of one kind. */
export interface KindBacklog extends BacklogCounts {
  readonly kind: WorkKind
  /** The number of its lanes; work that connects to no other host is in none. */
  readonly laneCount: number
  /**
   * The first `shownLanesMax` lanes, ordered by due work, then by all work, then by workspace and
   * name, the most first.
   */
  readonly lanes: ReadonlyArray<LaneBacklog>
}

/** Running workers and pending work, as an operator sees them. */
export interface WorkerOverview {
  /** The store's own time. */
  readonly now: DateTime.Utc
  /** The oldest first. */
  readonly workers: ReadonlyArray<RegisteredWorker>
  /** In the order of the kinds' names; kinds without pending work are left out. */
  readonly backlog: ReadonlyArray<KindBacklog>
}

/** A worker that has not reported for this long is deleted. */
export const workerTtl: Duration.Duration = Duration.days(1)

/** The registry did not answer. */
export class WorkerRegistryError extends refusal<WorkerRegistryError>()("WorkerRegistryError", {
  fields: { operation: Schema.String, cause: Schema.Defect() },
  sentence: ({ operation }) => `The registry of workers failed (${operation})`
}) {}

export class WorkerRegistry extends Context.Service<
  WorkerRegistry,
  {
    /** Replaces a worker's last report. Deletes workers that stopped reporting long ago. */
    readonly report: (report: WorkerReport) => Effect.Effect<void, WorkerRegistryError>
    /** Deletes a worker that has ended. Repeats are safe. */
    readonly leave: (id: WorkerId) => Effect.Effect<void, WorkerRegistryError>
    /**
     * Everything as of about one instant. It reads all pending work, but no finished work: for
     * people, not for loops.
     */
    readonly survey: Effect.Effect<WorkerOverview, WorkerRegistryError>
  }
>()("@verbatim/core/ports/WorkerRegistry") {}
