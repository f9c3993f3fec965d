/**
 * Port: finds old jobs by their stored end, and removes them, many in one transaction. It decides
 * nothing: its caller reads the jobs and says which of them to remove.
 */

import { Context, type DateTime, type Duration, type Effect, type Option, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { Cutoffs, Holding, Place } from "../domain/job/Expiry.ts"
import type { Job } from "../domain/job/Job.ts"
import { refusal } from "../domain/schema/Refusal.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"

/** The store did not answer; a write may or may not have happened. */
export class RetentionStoreError extends refusal<RetentionStoreError>()("RetentionStoreError", {
  fields: { operation: Schema.String, cause: Schema.Defect() },
  sentence: ({ operation }) => `The retention store failed (${operation})`
}) {}

/** Selects ended jobs of a workspace that hold `holding` and ended at `until` or before. */
export interface EndedQuery {
  readonly workspaceId: WorkspaceId
  readonly holding: Holding
  readonly until: DateTime.Utc
  /** Only jobs after this cursor. */
  readonly after: Option.Option<Place>
  readonly limit: number
}

/** A job that was found, with the instant of its stored end or of its acceptance. */
export interface FoundJob extends Place {
  /** None when it cannot be read here: a newer version wrote it, or it is damaged. */
  readonly job: Option.Option<Job>
}

/** A job, with the revision that a decision about it was made on. */
export interface JobRevision {
  readonly id: JobId
  readonly revision: number
}

/** Counts of what would expire now. */
export interface ExpiredCounts {
  readonly jobs: number
  /** Transcripts of jobs that stay. */
  readonly transcripts: number
  /** Media files of jobs that stay. */
  readonly media: number
  /** The earliest end of a job that would lose something; none if nothing would expire. */
  readonly oldest: Option.Option<DateTime.Utc>
}

/** Counts of what would expire in a page of jobs. */
export interface ExpiredCountsPage extends ExpiredCounts {
  /** The cursor of the last job of a full page; none when no more follow. */
  readonly last: Option.Option<Place>
}

export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Acquires the lock on looking for old jobs, which one process holds until it releases it or
     * has not called this again for `hold`. `true` for its holder. The lock spares the store
     * queries and protects nothing: working without it does no harm.
     */
    readonly acquireLock: (request: {
      readonly holder: string
      readonly hold: Duration.Duration
    }) => Effect.Effect<boolean, RetentionStoreError>
    /** Releases the lock: no process gets it before the pause has passed. Only its holder can. */
    readonly releaseLock: (request: {
      readonly holder: string
      readonly pause: Duration.Duration
    }) => Effect.Effect<void, RetentionStoreError>
    /**
     * Jobs by their stored ends, the earliest first, ties by id. Each commit of a job stores its
     * end. Jobs that a newer version wrote are found without their content.
     */
    readonly ended: (
      query: EndedQuery
    ) => Effect.Effect<ReadonlyArray<FoundJob>, RetentionStoreError>
    /**
     * Removes those jobs of a workspace that are still at the given revisions, with everything
     * except their charges and idempotency records, and returns their ids. All are removed in one
     * transaction, except jobs with so many corrections that a store removes each in its own. A
     * locked row is skipped. Safe to repeat.
     */
    readonly remove: (
      workspaceId: WorkspaceId,
      jobs: ReadonlyArray<JobRevision>
    ) => Effect.Effect<ReadonlyArray<JobId>, RetentionStoreError>
    /**
     * Counts what would expire now in a page of the jobs that `ended` finds, those of a newer
     * version included, by their stored ends. The cost is that of the page. Changes nothing.
     */
    readonly countExpired: (
      query: EndedQuery,
      cutoffs: Cutoffs
    ) => Effect.Effect<ExpiredCountsPage, RetentionStoreError>
  }
>()("@verbatim/core/ports/RetentionStore") {}
