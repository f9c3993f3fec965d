/**
 * Port: finds old jobs by the end that is noted beside each of them, and removes them, many in one
 * transaction. It decides nothing: whoever asks reads the jobs and says which of them go.
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

/** Which ended jobs of a workspace: those that hold this, and ended then or before. */
export interface EndedQuery {
  readonly workspaceId: WorkspaceId
  readonly holding: Holding
  readonly until: DateTime.Utc
  /** Only what comes after that place. */
  readonly after: Option.Option<Place>
  readonly limit: number
}

/** A job as it was found, at the instant of its noted end or of its acceptance. */
export interface FoundJob extends Place {
  /** None when it cannot be read here: a newer version wrote it, or it is damaged. */
  readonly job: Option.Option<Job>
}

/** A job at the revision that a decision about it was made on. */
export interface JobRevision {
  readonly id: JobId
  readonly revision: number
}

/** What would go now. */
export interface ExpiredCounts {
  readonly jobs: number
  /** Of jobs that stay. */
  readonly transcripts: number
  /** Files of jobs that stay. */
  readonly media: number
  /** The earliest end of a job of which something goes; none when nothing does. */
  readonly oldest: Option.Option<DateTime.Utc>
}

/** What would go of a page of jobs. */
export interface ExpiredCountsPage extends ExpiredCounts {
  /** The place of the last job of a full page; none when no more follow. */
  readonly last: Option.Option<Place>
}

export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Gives the turn to look for old jobs to one of those who ask, until it passes it on or has not
     * asked again for that long. `true` for whoever has it now. It spares the store questions and
     * protects nothing: whoever works without the turn does no harm.
     */
    readonly takeTurn: (turn: {
      readonly holder: string
      readonly hold: Duration.Duration
    }) => Effect.Effect<boolean, RetentionStoreError>
    /** Passes the turn on: nobody has it before the pause is over. Only its holder can. */
    readonly passTurn: (turn: {
      readonly holder: string
      readonly pause: Duration.Duration
    }) => Effect.Effect<void, RetentionStoreError>
    /**
     * Jobs by their noted ends, the earliest first, ties by id. The end is noted by each commit of
     * a job. Jobs that a newer version wrote are found without their content.
     */
    readonly ended: (
      query: EndedQuery
    ) => Effect.Effect<ReadonlyArray<FoundJob>, RetentionStoreError>
    /**
     * Removes the jobs of a workspace that are still at these revisions, each with everything it
     * has but its charge and its idempotency record, and returns their ids. All in one transaction,
     * except jobs with so many corrections that a store removes each in one of its own. A row that
     * somebody has locked is skipped. Safe to repeat.
     */
    readonly remove: (
      workspaceId: WorkspaceId,
      jobs: ReadonlyArray<JobRevision>
    ) => Effect.Effect<ReadonlyArray<JobId>, RetentionStoreError>
    /**
     * What would go now of a page of the jobs that `ended` finds, those of a newer version
     * included, by the noted ends. Its cost is that of the page. Changes nothing.
     */
    readonly overdue: (
      query: EndedQuery,
      cutoffs: Cutoffs
    ) => Effect.Effect<ExpiredCountsPage, RetentionStoreError>
  }
>()("@verbatim/core/ports/RetentionStore") {}
