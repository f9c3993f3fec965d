/** Port: leases pending work to workers, each job to one worker at a time. */

import { Context, type DateTime, Duration, type Effect, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { WorkKind } from "../domain/attempt/Work.ts"
import type { Job } from "../domain/job/Job.ts"
import type { LaneCapacity } from "../domain/job/Lane.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/**
 * A lease token, which proves a claim. Each call to `claim` uses a new token, so a token and a job
 * id together are unique.
 */
export const LeaseToken = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("LeaseToken"))
export type LeaseToken = typeof LeaseToken.Type

/** Duration of a lease without renewal. */
export const leaseDuration: Duration.Duration = Duration.seconds(30)

/** A lease on the work of one job. */
export interface Lease {
  readonly jobId: JobId
  readonly token: LeaseToken
}

/** A lease to extend, with the progress of its work. */
export interface Renewal extends Lease {
  /** The progress, from 0 to 1; undefined if the work reports none. */
  readonly progress?: number | undefined
}

/** The work that a worker can take now. */
export interface Capacity {
  /** The free slots for each kind of work. A kind that is left out has none. */
  readonly kinds: Readonly<Partial<Record<WorkKind, number>>>
  /** The running work of each kind, by workspace. A kind that is left out has none. */
  readonly held: Readonly<Partial<Record<WorkKind, Readonly<Record<string, number>>>>>
  readonly lanes: LaneCapacity
}

/** The outcome of a renewal of leases. A lease in neither set is no longer held. */
export interface Renewed {
  /** The leases that are now held for `leaseDuration`. */
  readonly extended: ReadonlySet<JobId>
  /**
   * The leases that are probably still held, but were not extended because another writer has
   * locked their rows.
   */
  readonly busy: ReadonlySet<JobId>
}

/** The result of a claim. */
export interface Claimed {
  /**
   * The store's own time at the claim. The worker derives all timestamps that it writes from this
   * time.
   */
  readonly now: DateTime.Utc
  /** The jobs with the leased work, the earliest due first, and then by id. */
  readonly jobs: ReadonlyArray<Job>
  /** Whether another claim may find work that this one did not look at. */
  readonly hasMore: boolean
}

/** Counts of the pending work of one kind. */
export interface PendingCounts {
  /** Number of tasks that are due and not leased. */
  readonly waiting: number
  /** Number of leased tasks. */
  readonly held: number
  /** Number of tasks that are due later and not leased. */
  readonly later: number
  /** How long the oldest waiting task has been due; zero if no task is waiting. */
  readonly age: Duration.Duration
}

/** The work queue did not respond. A claim may still have leased work; those leases lapse. */
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
     * Leases due work for `leaseDuration`, if it is not leased or its lease has lapsed. For each
     * kind, `chooseWork` selects the work: it alternates between the workspaces, and takes into
     * account which of them this process served last. Two claims never return the same work while a
     * lease holds. Work is never claimed before it is due.
     *
     * If more work is due than a claim can look at, the claim looks only at some of the workspaces,
     * and at some of the lanes of each. The next claim continues with the following workspaces, and
     * with other lanes, so that every workspace is served, however long the queue is.
     *
     * Work that is written more than a minute after its due time may be found up to half a minute
     * late.
     *
     * The result contains all work that was leased. A failed claim may have leased work; those
     * leases lapse.
     *
     * A claim may skip work that a concurrent claim is reading; a later claim finds that work if it
     * is still free.
     *
     * `hasMore` is true if the claim used all capacity for some kind, or did not look at all due
     * work.
     *
     * If the store's clock was set back, a claim shortens any lease that it reads to at most
     * `leaseDuration` from now.
     */
    readonly claim: (
      request: Capacity & { readonly token: LeaseToken }
    ) => Effect.Effect<Claimed, WorkQueueError>
    /**
     * Extends the leases that are still held to `leaseDuration` from now, each independently. A
     * lease whose row cannot be written right now is `busy`, and does not delay the others. A lease
     * is no longer held if another claim took the work, a commit ended it, or the job is gone. A
     * lapsed lease is extended if its work was not claimed again. Progress reported with an
     * extended lease is kept with the work, rounded to thousandths, until the lease ends.
     */
    readonly renew: (leases: ReadonlyArray<Renewal>) => Effect.Effect<Renewed, WorkQueueError>
    /**
     * Releases leases on work that never began, each independently, so that the next claim finds
     * the work. A lease whose row cannot be written lapses instead. The call is safe to retry.
     */
    readonly release: (leases: ReadonlyArray<Lease>) => Effect.Effect<void, WorkQueueError>
    /**
     * Counts the pending work of each kind, by the store's own time, for operators. For each kind,
     * at most `pendingMax` tasks are counted, earliest due first. The cost does not depend on
     * further tasks, or on finished jobs.
     */
    readonly pendingCounts: Effect.Effect<Readonly<Record<WorkKind, PendingCounts>>, WorkQueueError>
  }
>()("@verbatim/core/ports/WorkQueue") {}
