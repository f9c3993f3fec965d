/**
 * Port: durable memory of jobs, their history, their transcripts, and the work they owe.
 *
 * Work lives in the same store and is written by the same commit as the state that owes it; the
 * `WorkQueue` hands it out. Every adapter offers both over one database.
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
import type { Peaks } from "../domain/transcription/DecodedAudio.ts"
import type {
  Transcript,
  TranscriptMark,
  TranscriptPart
} from "../domain/transcription/Transcript.ts"
import type { ApiKeyId } from "../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../domain/workspace/Limits.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import type { Changes, ChangesQuery } from "./Changes.ts"
import type { LeaseToken } from "./WorkQueue.ts"

/** What went wrong in a `JobStore`. */
export class JobStoreError extends Schema.TaggedError<JobStoreError>()("JobStoreError", {
  operation: Schema.String,
  reason: Schema.TaggedUnion({
    /** The store did not answer; the write may or may not have happened. */
    Unavailable: { cause: Schema.Defect() },
    /**
     * The stored job cannot be read here: a newer version wrote it, or it is damaged. It stays as
     * it is.
     */
    Unreadable: { cause: Schema.Defect() },
    /**
     * Somebody else wrote first, the lease is no longer held, or the job is gone: nothing was
     * written.
     */
    Superseded: {},
    /** Another writer held the key or the workspace for too long: nothing was written. */
    Contended: {},
    /** As many jobs are unfinished as may be: nothing was written. */
    Full: { of: LimitOwner }
  })
}) {
  override get message(): string {
    return `${this.operation}: ${this.reason._tag}`
  }
  /** What the driver or the decoder said, for the log. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/**
 * One commit of a job, as its history keeps it. The first entry, without events, is its creation.
 */
export interface HistoryEntry {
  /** The job's revision after the commit. The first is 1. */
  readonly revision: number
  readonly at: DateTime.Utc
  readonly events: ReadonlyArray<JobEvent>
  /** The lease under which it was written; none when no worker wrote it. */
  readonly token: Option.Option<LeaseToken>
}

/** A change of one job, decided on revision `next.revision - 1`. */
export interface Commit {
  readonly next: Job
  readonly events: ReadonlyArray<JobEvent>
  readonly at: DateTime.Utc
  /** The lease the writer holds. With none, the revision alone fences the write. */
  readonly token: Option.Option<LeaseToken>
  /** What the job owes from now on; none deletes its work row. */
  readonly work: Option.Option<Work>
  /**
   * Whether the writer, who gives its token, keeps working under its lease. Otherwise the commit
   * ends any lease.
   */
  readonly isLeaseKept: boolean
  readonly transcript: Option.Option<Transcript>
  /** Peaks of the recording, which come and go with its transcript; missing where none are. */
  readonly peaks?: Peaks
  /** Milliseconds of audio to take from the workspace's balance, once per job, whatever happens. */
  readonly chargeMillis: Option.Option<number>
  /** The body that a webhook sent and may send again. With none, the one that is kept stays. */
  readonly body: Option.Option<BodyChange>
  /** What goes with this commit; missing where nothing does. */
  readonly forgotten?: Forgotten
}

/** The transcript goes, and whatever repeats its text: the kept body, and what history quotes. */
export interface Forgotten {
  /** Earlier commits whose events are these from now on. */
  readonly history: ReadonlyArray<Pick<HistoryEntry, "events" | "revision">>
}

/** What becomes of the kept body. */
export type BodyChange =
  | { readonly _tag: "Keep"; readonly body: KeptBody }
  | { readonly _tag: "Forget" }

/** A new job, and the key under which it may be asked for again. */
export interface Creation {
  readonly job: Job
  readonly work: Option.Option<Work>
  readonly idempotency: Option.Option<IdempotencyRecord>
  /** How many jobs may owe work with this one; any number where it is left out. */
  readonly unfinishedMax?: UnfinishedMax
}

/** How many jobs may owe work, each null for any number. */
export interface UnfinishedMax {
  readonly workspace: number | null
  /** Of the key that asked for the job. */
  readonly key: number | null
}

/** Whose unfinished jobs are counted: those of a workspace, or of one of its keys. */
export interface UnfinishedQuery {
  readonly workspaceId: WorkspaceId
  /** Null for all jobs of the workspace. */
  readonly keyId: ApiKeyId | null
  /** The count goes no further, and so its cost. */
  readonly countMax: number
}

/** What a database knows of itself and of its media store. */
export interface DatabaseIdentity {
  /** Of this database alone, not of its copies: the markers that it chooses begin with it. */
  readonly identity: string
  /** It has known every job since then. */
  readonly createdAt: DateTime.Utc
  /** The marker of the media store that belongs to the database; none until one is adopted. */
  readonly marker: Option.Option<string>
  /** Whether another database wrote that marker, which this one is a copy of. */
  readonly isCopied: boolean
}

export class JobStore extends Context.Service<
  JobStore,
  {
    /** What the database knows of itself and of its media store. */
    readonly databaseIdentity: Effect.Effect<DatabaseIdentity, JobStoreError>
    /**
     * Adopts a media store for this database, by its marker, and returns the marker of the one that
     * belongs to it then: the first one stays, however many come at once, unless it is to be
     * replaced. A replaced marker is the database's own, also in a copy. Safe to repeat.
     */
    readonly adoptMedia: (wanted: {
      readonly marker: string
      readonly isReplacing: boolean
    }) => Effect.Effect<string, JobStoreError>
    /**
     * The store's own time, by which the queue decides what is due. Requests of callers count from
     * it: a process whose clock is ahead would otherwise delay their work.
     */
    readonly now: Effect.Effect<DateTime.Utc, JobStoreError>
    /**
     * Creates a job at revision 1 with its first history entry, the work it owes and its
     * idempotency record, in one transaction. If a job with that id is there already, it is
     * `Superseded`: after an unknown outcome, `find` tells whether it was written.
     *
     * When a record of the workspace with the same key is current at the instant of the new one,
     * nothing is written and that record is the answer; one that has lapsed is replaced, and so is
     * one that a clock far ahead has left (`isCurrentKey`).
     *
     * Where as many jobs owe work already as may, nothing is written and it is `Full`, unless one
     * of the above is the answer. Of many who insert at once no more are written than there is room
     * for, and no fewer.
     */
    readonly insert: (
      creation: Creation
    ) => Effect.Effect<Option.Option<IdempotencyRecord>, JobStoreError>
    /** Counts the jobs that owe work. */
    readonly unfinished: (query: UnfinishedQuery) => Effect.Effect<number, JobStoreError>
    /**
     * The last record of a key in a workspace, current or lapsed. A lapsed one stays at least until
     * all records have lapsed that were written while it was current.
     */
    readonly idempotency: (
      workspaceId: WorkspaceId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<IdempotencyRecord>, JobStoreError>
    /**
     * The job with that id in that workspace; none when it is absent or belongs to another
     * workspace. Whatever a newer version added to it and this one does not know is kept by commits
     * that begin with this job: its own fields, those of the request, and those of the states that
     * the commit leaves as they are.
     */
    readonly find: (
      workspaceId: WorkspaceId,
      id: JobId
    ) => Effect.Effect<Option.Option<Job>, JobStoreError>
    /**
     * Jobs of one workspace, those with the greatest ids first: ids are time-ordered. Those that
     * cannot be read are left out; others come in their place.
     */
    readonly list: (query: JobQuery) => Effect.Effect<ReadonlyArray<Job>, JobStoreError>
    /** Whether there is a job of that workspace, also one that cannot be read. */
    readonly hasAny: (workspaceId: WorkspaceId) => Effect.Effect<boolean, JobStoreError>
    /**
     * Deletes a job with its history, its transcript and the work it owes, in one transaction, and
     * returns it as it was; none when it is absent or belongs to another workspace. Its charge and
     * its idempotency record stay. Whoever holds its lease finds that out at the next renewal or
     * commit.
     */
    readonly remove: (
      workspaceId: WorkspaceId,
      id: JobId
    ) => Effect.Effect<Option.Option<Job>, JobStoreError>
    /**
     * Writes job, history entry, work row, transcript, charge and kept body in one transaction, or
     * nothing; and takes away what is forgotten.
     *
     * `Superseded` unless the stored revision is `next.revision - 1` and, when a token is given,
     * the job's work row carries exactly that token. A second charge for one job changes neither
     * ledger nor balance. Safe to repeat: the repeat is `Superseded`, and `history` shows whose
     * write it was.
     */
    readonly commit: (commit: Commit) => Effect.Effect<void, JobStoreError>
    /** How far the work on a job has come, as its last renewal reported; none when none did. */
    readonly progress: (id: JobId) => Effect.Effect<Option.Option<number>, JobStoreError>
    /**
     * The transcript of a job, whole; none before it is committed. Whoever reads it may change it:
     * nothing stored and nobody else sees that.
     */
    readonly transcript: (id: JobId) => Effect.Effect<Option.Option<Transcript>, JobStoreError>
    /**
     * The peaks that were committed with the transcript of a job; none without one, and none where
     * the last one came without.
     */
    readonly peaks: (id: JobId) => Effect.Effect<Option.Option<Peaks>, JobStoreError>
    /** The body that was kept last, unchanged; none when none is kept. */
    readonly keptBody: (id: JobId) => Effect.Effect<Option.Option<KeptBody>, JobStoreError>
    /**
     * The part of a transcript that follows another one, or the first one. Together the parts are
     * the transcript; none is longer than `partLengthMax` and one segment, and only the last one
     * may be without segments. Nothing is kept open from one part to the next. None when the
     * transcript is not there, or no longer.
     */
    readonly transcriptPart: (
      id: JobId,
      before: Option.Option<TranscriptMark>
    ) => Effect.Effect<Option.Option<TranscriptPart>, JobStoreError>
    /** All commits of a job, oldest first, without gaps; empty when the job is unknown. */
    readonly history: (id: JobId) => Effect.Effect<ReadonlyArray<HistoryEntry>, JobStoreError>
    /**
     * What has happened to jobs, and in workspaces, since others looked: one question for everybody
     * who listens. Jobs are told as they stand. An entry that cannot be read is told without its
     * events, and keeps no other from being told.
     *
     * The feed has each commit once, at a place that never changes, and those of one job in their
     * order. Nothing is ever committed at or before a place that was told: a commit that could
     * still come before others holds them back until it is there or is given up. Commits of
     * programs that knew no places are not in it. Of forgotten texts it says what the history says.
     *
     * The commits of a deleted job are not in the feed any more; that it was deleted is told there,
     * for at least `deletionRetention`. Whoever comes with a place before the oldest deletion that is
     * kept is told that the feed is not continued.
     */
    readonly changes: (query: ChangesQuery) => Effect.Effect<Changes, JobStoreError>
    /**
     * The jobs that exist, of any workspace. One that this version of the program cannot read
     * exists too, with none of its content.
     */
    readonly present: (
      ids: ReadonlyArray<JobId>
    ) => Effect.Effect<ReadonlyMap<JobId, Option.Option<Job>>, JobStoreError>
  }
>()("@verbatim/core/ports/JobStore") {}
