/**
 * Port: hands out the work that jobs owe, each piece to one worker at a time, under a lease.
 */
import { Context, type DateTime, Duration, type Effect, Schema } from "effect"
import type { Job } from "../job/Job.ts"
import type { JobId } from "../job/JobId.ts"
import type { WorkKind } from "../job/Work.ts"

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

/** A lease that is to go on, and how far its work has come. */
export interface Renewal extends Lease {
  /** From 0 to 1; left out by work that does not know. */
  readonly progress?: number | undefined
}

/**
 * The work queue did not answer; a claim may or may not have happened, and then lapses by itself.
 */
export class WorkQueueError extends Schema.TaggedError<WorkQueueError>()("WorkQueueError", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {}

export class WorkQueue extends Context.Service<
  WorkQueue,
  {
    /**
     * Leases due work that nobody holds, or whose lease has lapsed, for `leaseDuration`: at most
     * `limit` pieces of the kinds named, earliest due first (ties by job id), none in a busy lane,
     * and none twice. Two claims never return the same piece while a lease holds. A piece is due at
     * its instant, not before.
     *
     * `now` is the store's own time at the claim: all instants that the worker writes are counted
     * from it.
     */
    readonly claim: (request: {
      readonly token: LeaseToken
      readonly kinds: ReadonlyArray<WorkKind>
      readonly limit: number
      readonly busyLanes: ReadonlyArray<string>
    }) => Effect.Effect<
      { readonly now: DateTime.Utc; readonly jobs: ReadonlyArray<Job> },
      WorkQueueError
    >
    /**
     * Extends the leases that are still held by `leaseDuration` from now, and returns their job
     * ids. A lease is no longer held when another claim took the work, when a commit ended it, or
     * when the job is gone; a lapsed one that nobody took is held and extended. A progress that
     * comes with a lease that is held stays with the work, rounded to thousandths, until the lease
     * ends.
     */
    readonly renew: (
      leases: ReadonlyArray<Renewal>
    ) => Effect.Effect<ReadonlySet<JobId>, WorkQueueError>
    /**
     * Gives back leases whose work was never begun, so that the next claim finds it. Repeats are
     * safe.
     */
    readonly release: (leases: ReadonlyArray<Lease>) => Effect.Effect<void, WorkQueueError>
  }
>()("@verbatim/core/ports/WorkQueue") {}
