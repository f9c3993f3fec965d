/**
 * Port: which workers exist, and what is owed. It is for operators to look at: it decides nothing,
 * and a worker works just as well without it.
 */

import { Context, type DateTime, Duration, type Effect, type Option, Schema } from "effect"
import { Dependency, type Task, type WorkKind } from "../domain/attempt/Work.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/** A worker, from its start to its end. */
export const WorkerId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WorkerId"))
export type WorkerId = typeof WorkerId.Type

/** Something that a worker needs and cannot use. */
export const Outage = Schema.Struct({
  dependency: Dependency,
  /** Failures in a row. */
  failures: Schema.Int,
  /** What it said, where it said something, without secrets: never for callers. */
  cause: Schema.optionalKey(Schema.String)
})
export type Outage = typeof Outage.Type

/** What a worker says of itself. */
export interface WorkerReport {
  readonly id: WorkerId
  /** For people: the machine, the process and its version. */
  readonly name: string
  /** How many attempts of each task are running. */
  readonly running: Readonly<Record<Task, number>>
  readonly outages: ReadonlyArray<Outage>
}

/** A worker, with the store's own time of its first sign and of its last. */
export interface RegisteredWorker extends WorkerReport {
  readonly startedAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
}

/** How much is owed. */
export interface BacklogCounts {
  /** Due, and held by nobody. */
  readonly due: number
  /** Held by nobody, and not due yet. */
  readonly later: number
  /** Under a lease that holds. */
  readonly leased: number
  /** Since when the first due piece has been waiting. */
  readonly dueSince: Option.Option<DateTime.Utc>
}

/** What is owed of one kind in one lane. */
export interface LaneBacklog extends BacklogCounts {
  /** Empty where an older program has left it out. */
  readonly workspaceId: string
  readonly lane: string
}

/** What is owed of one kind. */
export interface KindBacklog extends BacklogCounts {
  readonly kind: WorkKind
  /** In how many lanes it is; what stays here is in none. */
  readonly laneCount: number
  /**
   * Those with most that is due, then with most of all, then by workspace and name; the first
   * `shownLanesMax` of them.
   */
  readonly lanes: ReadonlyArray<LaneBacklog>
}

/** What an operator is shown. */
export interface WorkerOverview {
  /** The store's own time. */
  readonly now: DateTime.Utc
  /** The oldest first. */
  readonly workers: ReadonlyArray<RegisteredWorker>
  /** By kind, in the order of their names; a kind that nobody owes is left out. */
  readonly debts: ReadonlyArray<KindBacklog>
}

/** A worker without a sign for this long is forgotten. */
export const workerRetention: Duration.Duration = Duration.days(1)

/** The registry did not answer. */
export class WorkerRegistryError extends refusal<WorkerRegistryError>()("WorkerRegistryError", {
  fields: { operation: Schema.String, cause: Schema.Defect() },
  sentence: ({ operation }) => `The registry of workers failed (${operation})`
}) {}

export class WorkerRegistry extends Context.Service<
  WorkerRegistry,
  {
    /** Keeps what a worker says in place of what it said before. Forgets workers long gone. */
    readonly sign: (sign: WorkerReport) => Effect.Effect<void, WorkerRegistryError>
    /** Forgets a worker that has ended. Repeats are safe. */
    readonly leave: (id: WorkerId) => Effect.Effect<void, WorkerRegistryError>
    /**
     * Everything at about one instant. It looks at all that is owed, and at nothing that is done:
     * for people, not for loops.
     */
    readonly survey: Effect.Effect<WorkerOverview, WorkerRegistryError>
  }
>()("@verbatim/core/ports/WorkerRegistry") {}
