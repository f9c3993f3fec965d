/**
 * Port: finds old jobs by their stored end, and removes them, many in one transaction. The store
 * makes no decisions: the caller reads the jobs and chooses which of them to remove.
 */

import { Context, type DateTime, type Duration, type Effect, type Option, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { Cutoffs, Holding, JobPosition } from "../domain/job/Expiry.ts"
import type { Job } from "../domain/job/Job.ts"
import { refusal } from "../domain/schema/Refusal.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"

/** The store did not respond; a write may or may not have happened. */
export class RetentionStoreError extends refusal<RetentionStoreError>()("RetentionStoreError", {
  fields: { operation: Schema.String, cause: Schema.Defect() },
  sentence: ({ operation }) => `The retention store failed (${operation})`
}) {}

/**
 * A query for finished jobs of a workspace that ended at or before `until` and still have the parts
 * in `holding`.
 */
export interface EndedQuery {
  readonly workspaceId: WorkspaceId
  readonly holding: Holding
  readonly until: DateTime.Utc
  /** The position after which the selection starts. */
  readonly after: Option.Option<JobPosition>
  readonly limit: number
}

/** A job that was found, with the time of its end or its acceptance. */
export interface FoundJob extends JobPosition {
  /**
   * The job; none if this release cannot read it, because a newer release wrote it or because it is
   * damaged.
   */
  readonly job: Option.Option<Job>
}

/** A job to remove, and the revision on which that decision is based. */
export interface JobRevision {
  readonly id: JobId
  readonly revision: number
}

/** Counts of the data that would expire now. */
export interface ExpiredCounts {
  readonly jobs: number
  /** Number of transcripts that would be removed without their jobs. */
  readonly transcripts: number
  /** Number of media files that would be removed without their jobs. */
  readonly media: number
  /** The earliest end of a job that would lose something; none if nothing would expire. */
  readonly oldest: Option.Option<DateTime.Utc>
}

/** Counts of the data that would expire for the jobs on a page. */
export interface ExpiredCountsPage extends ExpiredCounts {
  /** The position of the last job on a full page; none if no more jobs follow. */
  readonly last: Option.Option<JobPosition>
}

export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Acquires the lock on the search for old jobs. Returns `true` if the calling process then
     * holds the lock. A process holds the lock until it releases the lock, or until `hold` has
     * passed since its last call. The lock only avoids unnecessary queries; working without it does
     * no harm.
     */
    readonly acquireLock: (request: {
      readonly holder: string
      readonly hold: Duration.Duration
    }) => Effect.Effect<boolean, RetentionStoreError>
    /**
     * Releases the lock, if this process holds it. After that, no process can acquire it until the
     * pause has passed.
     */
    readonly releaseLock: (request: {
      readonly holder: string
      readonly pause: Duration.Duration
    }) => Effect.Effect<void, RetentionStoreError>
    /**
     * Returns jobs ordered by their stored end, earliest first, ties by id. Each commit stores the
     * end of its job. Jobs written by a newer release are returned without their content.
     */
    readonly ended: (
      query: EndedQuery
    ) => Effect.Effect<ReadonlyArray<FoundJob>, RetentionStoreError>
    /**
     * Removes the jobs of a workspace that are still at the given revisions, with everything except
     * their charges and idempotency records, and returns their ids. All jobs are removed in one
     * transaction, except that a store may remove jobs with very many corrections separately.
     * Locked rows are skipped. The call is safe to retry.
     */
    readonly remove: (
      workspaceId: WorkspaceId,
      jobs: ReadonlyArray<JobRevision>
    ) => Effect.Effect<ReadonlyArray<JobId>, RetentionStoreError>
    /**
     * Counts what would expire now on a page of the jobs that `ended` finds, including jobs from a
     * newer release, by stored end. The cost depends only on the page. This method changes nothing.
     */
    readonly countExpired: (
      query: EndedQuery,
      cutoffs: Cutoffs
    ) => Effect.Effect<ExpiredCountsPage, RetentionStoreError>
  }
>()("@verbatim/core/ports/RetentionStore") {}
