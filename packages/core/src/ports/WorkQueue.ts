/**
 * Port: hands out the work that jobs owe, each piece to one worker at a time, under a lease.
 */

import { Context, type DateTime, Duration, type Effect, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { WorkKind } from "../domain/attempt/Work.ts"
import type { Job } from "../domain/job/Job.ts"
import type { LaneRoom } from "../domain/job/Lane.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/** Proof of a claim. A fresh one for every call of `claim`; together with a job id it is unique. */
export const LeaseToken = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("LeaseToken"))
export type LeaseToken = typeof LeaseToken.Type

/** How long a claim holds without renewal. */
export const leaseDuration: Duration.Duration = Duration.seconds(30)

/** A lease on the work of one job. */
export interface Lease {
  readonly jobId: JobId
  readonly token: LeaseToken
}

/** A lease to extend, and how far its work has come. */
export interface Renewal extends Lease {
  /** From 0 to 1; left out by work that does not know. */
  readonly progress?: number | undefined
}

/** How much a worker can begin. */
export interface Capacity {
  /** For each kind; one that is left out has none. */
  readonly kinds: Readonly<Partial<Record<WorkKind, number>>>
  /** How much of each kind it is doing, by workspace; nothing for one that is left out. */
  readonly held: Readonly<Partial<Record<WorkKind, Readonly<Record<string, number>>>>>
  readonly lanes: LaneRoom
}

/** What became of the leases to extend. One that is in neither set is no longer held. */
export interface Renewed {
  /** Held, and for `leaseDuration` from now. */
  readonly extended: ReadonlySet<JobId>
  /** Held as far as can be told while somebody else has their rows: for as long as before. */
  readonly busy: ReadonlySet<JobId>
}

/** What a claim gave out. */
export interface Claimed {
  /**
   * The store's own time at the claim: all instants that the worker writes are counted from it.
   */
  readonly now: DateTime.Utc
  /** Earliest due first, ties by id. */
  readonly jobs: ReadonlyArray<Job>
  /** Whether another claim may find more that this one did not look at. */
  readonly hasMore: boolean
}

/** The work of one kind that jobs owe. */
export interface PendingCounts {
  /** Due, and held by nobody. */
  readonly waiting: number
  /** Under a lease. */
  readonly held: number
  /** Due later, and held by nobody. */
  readonly later: number
  /** How long the oldest of those that wait has been due; zero when none waits. */
  readonly age: Duration.Duration
}

/**
 * The work queue did not answer; a claim may or may not have happened, and then lapses by itself.
 */
export class WorkQueueError extends refusal<WorkQueueError>()("WorkQueueError", {
  fields: {
    operation: Schema.String,
    cause: Schema.Defect()
  },
  sentence: ({ operation }) => `The work queue failed (${operation})`
}) {}

export class WorkQueue extends Context.Service<
  WorkQueue,
  {
    /**
     * Leases due work that nobody holds, or whose lease has lapsed, for `leaseDuration`: of each
     * kind what `chooseWork` takes, which lets the workspaces take turns and is told which of them
     * this process served last. Two claims never return the same piece while a lease holds. A piece
     * is due at its instant, not before.
     *
     * Where more is due than a claim can look at, it looks at a part: some workspaces, and some of
     * the lanes of each. The next claim goes on with the workspaces after them, and with other
     * lanes, so that everybody has a turn however long the queue is.
     *
     * Work that is written more than a minute after its instant may be found only by a later claim,
     * up to half a minute after it was written.
     *
     * An answer names everything that was leased. A failed claim may have leased some; that lapses.
     *
     * Of simultaneous claims one may skip what another is looking at, and find it free the next
     * time.
     *
     * `hasMore` when it filled the room for any kind, or did not look at everything that is due.
     *
     * When the store's clock was set back, a lease that ends later than any lease could is cut to
     * `leaseDuration` as soon as a claim comes across it.
     */
    readonly claim: (
      request: Capacity & { readonly token: LeaseToken }
    ) => Effect.Effect<Claimed, WorkQueueError>
    /**
     * Extends the leases that are still held to `leaseDuration` from now, each by itself: one whose
     * row cannot be written at this moment is `busy`, and delays none of the others. A lease is no
     * longer held when another claim took the work, when a commit ended it, or when the job is
     * gone; a lapsed one that nobody took is held and extended. Progress reported with an extended
     * lease stays with the work, rounded to thousandths, until the lease ends.
     */
    readonly renew: (leases: ReadonlyArray<Renewal>) => Effect.Effect<Renewed, WorkQueueError>
    /**
     * Gives back leases whose work was never begun, so that the next claim finds it, each by
     * itself; one whose row cannot be written lapses. Repeats are safe.
     */
    readonly release: (leases: ReadonlyArray<Lease>) => Effect.Effect<void, WorkQueueError>
    /**
     * How much work of each kind is owed, by the store's own time, for operators to see. Of a kind
     * with more than `owedMax` pieces it counts those that are due first. Neither the work beyond
     * them nor jobs that have ended cost anything.
     */
    readonly owed: Effect.Effect<Readonly<Record<WorkKind, PendingCounts>>, WorkQueueError>
  }
>()("@verbatim/core/ports/WorkQueue") {}
