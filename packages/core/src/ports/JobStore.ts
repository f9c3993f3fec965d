/**
 * Port: stores jobs, their history, their transcripts, and their pending work.
 *
 * The commit that makes work pending also stores that work in the same database, and `WorkQueue`
 * hands it out. Every adapter implements both ports over one database.
 */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { Work } from "../domain/attempt/Work.ts"
import type { KeptBody } from "../domain/delivery/Delivery.ts"
import type { IdempotencyKey } from "../domain/idempotency/IdempotencyKey.ts"
import type { IdempotencyRecord } from "../domain/job/IdempotencyRecord.ts"
import type { Job } from "../domain/job/Job.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import type { JobQuery } from "../domain/job/JobListing.ts"
import type { LegacyStatus } from "../domain/job/JobView.ts"
import type { Moment } from "../domain/rendering/SearchText.ts"
import { describeStoreFailure, refusal } from "../domain/schema/Refusal.ts"
import type { Peaks } from "../domain/transcription/DecodedAudio.ts"
import type { Piece } from "../domain/transcription/Piece.ts"
import type {
  Transcript,
  TranscriptCursor,
  TranscriptPart
} from "../domain/transcription/Transcript.ts"
import type { ApiKeyId } from "../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../domain/workspace/Limits.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import type { Changes, ChangesQuery } from "./Changes.ts"
import { overdue } from "./Deadline.ts"
import type { LeaseToken } from "./WorkQueue.ts"

/** A failure of a `JobStore`. */
export class JobStoreError extends refusal<JobStoreError>()("JobStoreError", {
  fields: {
    operation: Schema.String,
    reason: Schema.TaggedUnion({
      /** The store did not respond; the write may or may not have happened. */
      Unavailable: { cause: Schema.Defect() },
      /**
       * This release cannot read the stored job, because a newer release wrote it or because it is
       * damaged. The stored job stays unchanged.
       */
      Unreadable: { cause: Schema.Defect() },
      /**
       * Another writer was first, the lease is no longer held, or the job was deleted. Nothing was
       * written.
       */
      Superseded: {},
      /**
       * Another writer held the lock on the key or the workspace for too long. Nothing was written.
       */
      Contended: {},
      /** The limit on unfinished jobs is reached. Nothing was written. */
      Full: { of: LimitOwner }
    })
  },
  sentence: describeStoreFailure
}) {}

/** Creates the failure of a call that the store did not answer before its deadline. */
export const unanswered = (operation: string): JobStoreError =>
  new JobStoreError({ operation, reason: { _tag: "Unavailable", cause: overdue } })

/** A commit in a job's history. The first one, which created the job, has no events. */
export interface HistoryEntry {
  /** The job's revision after the commit, starting with 1. */
  readonly revision: number
  readonly at: DateTime.Utc
  readonly events: ReadonlyArray<JobEvent>
  /** The lease under which the commit was written; none if no worker wrote it. */
  readonly token: Option.Option<LeaseToken>
}

/** A commit to a job, based on revision `next.revision - 1`. */
export interface Commit {
  readonly next: Job
  readonly events: ReadonlyArray<JobEvent>
  readonly at: DateTime.Utc
  /** The writer's lease. Without a lease, only the revision fences the write. */
  readonly token: Option.Option<LeaseToken>
  /** The job's pending work after the commit. If there is none, the job's work row is deleted. */
  readonly work: Option.Option<Work>
  /**
   * Whether the writer's lease continues after the commit. If so, the writer must pass the lease
   * token; otherwise, the commit ends any lease.
   */
  readonly isLeaseKept: boolean
  readonly transcript: Option.Option<Transcript>
  /** A recognised piece, which replaces a stored piece of the job with the same index. */
  readonly piece?: Piece
  /**
   * The peaks of the recording, which are stored and deleted together with its transcript;
   * undefined if there are none.
   */
  readonly peaks?: Peaks
  /** Milliseconds of audio to charge to the workspace, at most once per job. */
  readonly chargeMillis: Option.Option<number>
  /**
   * The change to the stored body of a webhook request that may be sent again; none if the stored
   * body stays unchanged.
   */
  readonly body: Option.Option<BodyChange>
  /** The text that this commit deletes, if any. */
  readonly forgotten?: TextRemoval
}

/**
 * The removal of the transcript and of every copy of its text: the pieces, the stored body, and
 * quotations in the history.
 */
export interface TextRemoval {
  /** Earlier commits, with events that replace the original ones. */
  readonly history: ReadonlyArray<Pick<HistoryEntry, "events" | "revision">>
}

/** A change to the stored webhook body. */
export type BodyChange =
  | { readonly _tag: "Keep"; readonly body: KeptBody }
  | { readonly _tag: "Forget" }

/** A new job, with the idempotency record of its request. */
export interface Creation {
  readonly job: Job
  readonly work: Option.Option<Work>
  readonly idempotency: Option.Option<IdempotencyRecord>
  /** The limits on unfinished jobs, including this one; no limits if left out. */
  readonly unfinishedMax?: UnfinishedMax
}

/** Maximum numbers of unfinished jobs; null means unlimited. */
export interface UnfinishedMax {
  readonly workspace: number | null
  /** The maximum for jobs that were requested with the same key as this job. */
  readonly key: number | null
}

/** A query for the number of unfinished jobs of a workspace, or of one of its keys. */
export interface UnfinishedQuery {
  readonly workspaceId: WorkspaceId
  /** The key; null for all jobs of the workspace. */
  readonly keyId: ApiKeyId | null
  /** Counting stops at this number, which limits the cost. */
  readonly countMax: number
}

/** The identity of a database, and the marker of its media store. */
export interface DatabaseIdentity {
  /**
   * The identity of this database, which its copies do not share. The markers derived for this
   * database begin with it.
   */
  readonly identity: string
  /** The time since which this database knows every job that was created. */
  readonly createdAt: DateTime.Utc
  /** The marker of the media store that this database uses; none until it has adopted one. */
  readonly marker: Option.Option<string>
  /** Whether the marker was written by the database that this one is a copy of. */
  readonly isCopied: boolean
}

export class JobStore extends Context.Service<
  JobStore,
  {
    /** The identity of this database, and the marker of its media store. */
    readonly databaseIdentity: Effect.Effect<DatabaseIdentity, JobStoreError>
    /**
     * Adopts the media store with the given marker for this database, and returns the marker that
     * the database then has. The first adopted marker is kept, no matter how many calls run
     * concurrently, unless a replacement is requested. A replacement counts as the database's own
     * marker, even in a copy. The call is safe to retry.
     */
    readonly adoptMedia: (wanted: {
      readonly marker: string
      readonly isReplacing: boolean
    }) => Effect.Effect<string, JobStoreError>
    /**
     * The store's own time. The queue decides by this time which work is due. Requests are stamped
     * with it as well, because a process with a fast clock would otherwise delay their work.
     */
    readonly now: Effect.Effect<DateTime.Utc, JobStoreError>
    /**
     * Creates a job at revision 1 in one transaction, with its first history entry, its pending
     * work and its idempotency record. If a job with the same id exists, the call fails with
     * `Superseded`. After an unknown outcome, `find` shows whether the job was written.
     *
     * If the workspace has a record with the same key that is still current at the time of the new
     * record, nothing is written and the existing record is returned. An expired record is
     * replaced, and so is a record left by a clock that was far ahead (`isCurrentKey`).
     *
     * In all other cases, the call writes nothing and fails with `Full` if the limit on unfinished
     * jobs is reached. Of many concurrent calls, exactly as many succeed as the limit allows.
     */
    readonly insert: (
      creation: Creation
    ) => Effect.Effect<Option.Option<IdempotencyRecord>, JobStoreError>
    /** Counts the unfinished jobs of a workspace or of one of its keys. */
    readonly unfinished: (query: UnfinishedQuery) => Effect.Effect<number, JobStoreError>
    /**
     * The last idempotency record of a key in a workspace, current or expired. An expired record is
     * kept at least until all records that were written while it was current have also expired.
     */
    readonly idempotency: (
      workspaceId: WorkspaceId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<IdempotencyRecord>, JobStoreError>
    /**
     * Returns the job with the given id in the given workspace; none if it does not exist or
     * belongs to another workspace. Commits based on this job keep the fields that only a newer
     * release knows: fields of the job, of the request, and of states that the commit does not
     * change.
     */
    readonly find: (
      workspaceId: WorkspaceId,
      id: JobId
    ) => Effect.Effect<Option.Option<Job>, JobStoreError>
    /**
     * Returns jobs of one workspace or of all workspaces, in descending order of id, that is,
     * newest first. Jobs that cannot be read are left out, and other jobs fill the page.
     *
     * A word search reads the text that `toSearchText` returns for the corrected transcript. The
     * commit that writes or deletes a transcript or its corrections also updates this text.
     */
    readonly list: (query: JobQuery) => Effect.Effect<ReadonlyArray<Job>, JobStoreError>
    /**
     * Returns the passages of a job's corrected transcript that match a search, as found by
     * `findMoments`.
     */
    readonly moments: (
      id: JobId,
      words: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Moment>, JobStoreError>
    /** Whether the workspace has any job, including one that cannot be read. */
    readonly hasAny: (workspaceId: WorkspaceId) => Effect.Effect<boolean, JobStoreError>
    /**
     * Deletes a job with its history, its transcript and its pending work, in one transaction, and
     * returns the job's last state; none if the job does not exist or belongs to another workspace.
     * The job's charge and idempotency record stay. The worker that holds the job's lease notices
     * the deletion at its next renewal or commit.
     *
     * If statuses are given, the same transaction checks that the job has one of them; otherwise
     * nothing is deleted, and the call returns none.
     */
    readonly remove: (
      workspaceId: WorkspaceId,
      id: JobId,
      statuses?: ReadonlyArray<LegacyStatus>
    ) => Effect.Effect<Option.Option<Job>, JobStoreError>
    /**
     * Writes the job, history entry, work row, piece, transcript, charge and webhook body in one
     * transaction, or nothing. The same transaction deletes the text named in the commit.
     *
     * Fails with `Superseded` unless the stored revision is `next.revision - 1` and, if a token is
     * given, the job's work row has exactly that token. A second charge for the same job changes
     * neither ledger nor balance. The call is safe to retry: a retry fails with `Superseded`, and
     * `history` shows who wrote the revision.
     */
    readonly commit: (commit: Commit) => Effect.Effect<void, JobStoreError>
    /**
     * The progress of a job, as its last lease renewal reported it; none if no progress was
     * reported.
     */
    readonly progress: (id: JobId) => Effect.Effect<Option.Option<number>, JobStoreError>
    /**
     * Returns the stored pieces of a job in index order, or only those in a range with an exclusive
     * end. Pieces are deleted together with the job or its text.
     */
    readonly pieces: (
      id: JobId,
      range?: { readonly from: number; readonly to: number }
    ) => Effect.Effect<ReadonlyArray<Piece>, JobStoreError>
    /** Returns a stored piece with the given digest, from any job of a workspace. */
    readonly findPiece: (
      workspaceId: WorkspaceId,
      digest: string
    ) => Effect.Effect<Option.Option<Piece>, JobStoreError>
    /**
     * Returns the whole transcript of a job; none until it is committed. The caller owns the
     * returned value: changes to it affect neither the store nor other readers.
     */
    readonly transcript: (id: JobId) => Effect.Effect<Option.Option<Transcript>, JobStoreError>
    /**
     * Returns the peaks that were committed with the transcript of a job; none if there is no
     * transcript, or if the last one was committed without peaks.
     */
    readonly peaks: (id: JobId) => Effect.Effect<Option.Option<Peaks>, JobStoreError>
    /** Returns the stored webhook body, unchanged; none if no body is stored. */
    readonly keptBody: (id: JobId) => Effect.Effect<Option.Option<KeptBody>, JobStoreError>
    /**
     * The part of a transcript after a cursor, or the first part. All parts together form the whole
     * transcript. No part is longer than `partLengthMax` plus one segment, and only the last part
     * can have no segments. No resource stays open while the reader works on a part. Returns none
     * if the transcript does not exist yet, or no longer exists.
     */
    readonly transcriptPart: (
      id: JobId,
      before: Option.Option<TranscriptCursor>
    ) => Effect.Effect<Option.Option<TranscriptPart>, JobStoreError>
    /**
     * Returns all commits of a job, the oldest first and without gaps; empty if the job is unknown.
     */
    readonly history: (id: JobId) => Effect.Effect<ReadonlyArray<HistoryEntry>, JobStoreError>
    /**
     * Changes to jobs and to workspace feeds: one query serves all subscribers. Jobs are returned
     * in their current state. An entry that cannot be read is returned without its events, and does
     * not hold back other entries.
     *
     * The feed contains each commit once, at a position that never changes, and each job's commits
     * in order. Nothing is ever committed at or before a position that was returned: a commit whose
     * position is not final holds back later commits until it is complete or abandoned. Commits by
     * releases that did not write feed positions are not in the feed. Where text was deleted, the
     * feed returns the same events as the history.
     *
     * The commits of a deleted job are no longer in the feed, but its deletion is, for at least
     * `deletionRetention`. For a cursor before the oldest kept deletion, `isContinued` is false.
     */
    readonly changes: (query: ChangesQuery) => Effect.Effect<Changes, JobStoreError>
    /**
     * Returns those of the given jobs that exist, in any workspace. A job that this release cannot
     * read is included, without its content.
     */
    readonly present: (
      ids: ReadonlyArray<JobId>
    ) => Effect.Effect<ReadonlyMap<JobId, Option.Option<Job>>, JobStoreError>
  }
>()("@verbatim/core/ports/JobStore") {}
