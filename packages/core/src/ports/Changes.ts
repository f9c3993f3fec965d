/**
 * Queries for recent changes to jobs and to the feed, and their results. One query serves many
 * subscribers.
 */
import { type DateTime, Duration, type Option } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { FeedCursor } from "../domain/job/FeedCursor.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"

/** A job to query, and the revision up to which its history is already known. */
export interface WatchedJob {
  readonly id: JobId
  /** Commits after this revision are returned; 0 requests all commits. */
  readonly beyond: number
}

/** A query for the next page of the feed. */
export interface FeedQuery {
  /** The workspaces whose commits are returned. */
  readonly workspaceIds: ReadonlyArray<WorkspaceId>
  /**
   * Entries after this cursor are returned. Without a cursor, only the current end of the feed is
   * returned.
   */
  readonly after: Option.Option<FeedCursor>
  /**
   * Maximum number of commits to read across all workspaces, which limits the cost of the query.
   */
  readonly limit: number
  /** Whether to return the progress of running jobs in these workspaces. */
  readonly withProgress: boolean
}

/**
 * Maximum number of running jobs with progress in one result, across all workspaces: more than a
 * fleet of workers runs at the same time.
 */
export const progressMax = 1_000

/**
 * How long the feed reports the deletion of a job. A subscriber with an older cursor gets a
 * `reset`. A week is enough for a subscriber that is offline over a long weekend, and takes seven
 * million small rows in a store that deletes a million jobs a day.
 */
export const deletionRetention: Duration.Duration = Duration.days(7)

/** A query for the changes that all subscribers of a process need. */
export interface ChangesQuery {
  readonly jobs: ReadonlyArray<WatchedJob>
  readonly feed: Option.Option<FeedQuery>
}

/** A commit, reduced to what subscribers see. */
export interface ChangeEntry {
  readonly revision: number
  readonly at: DateTime.Utc
  /** The events of the commit; none if this release cannot read them. */
  readonly events: Option.Option<ReadonlyArray<JobEvent>>
}

/** The current state of a job, and its new commits. */
export interface JobChange {
  readonly revision: number
  /**
   * Whether the job has pending work. If not, nothing happens to the job until a caller requests
   * something.
   */
  readonly hasPendingWork: boolean
  /** The job's progress, as its last lease renewal reported it. */
  readonly progress: Option.Option<number>
  /** The requested commits, oldest first, without gaps. */
  readonly entries: ReadonlyArray<ChangeEntry>
}

/** A feed entry: a commit, or the deletion of a job. */
export interface FeedEntry {
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  readonly cursor: FeedCursor
  /** The commit; none if the job was deleted, in which case this is the job's last entry. */
  readonly entry: Option.Option<ChangeEntry>
}

/** The progress of a job, as its last lease renewal reported it. */
export interface FeedProgress {
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  /** The recognised fraction, from 0 to 1. */
  readonly progress: number
}

/** A page of the feed. */
export interface FeedPage {
  /** The entries, in the order of the feed. */
  readonly entries: ReadonlyArray<FeedEntry>
  /** The cursor at the end of `entries`; the next query starts after it. */
  readonly through: FeedCursor
  /** Whether more entries follow after `through`. */
  readonly hasMore: boolean
  /**
   * Whether the given cursor belongs to this feed, and the feed still has all entries after it. If
   * not, these entries are unknown: `entries` is empty, and `through` is the current end of the
   * feed.
   */
  readonly isContinued: boolean
  /**
   * The progress of running jobs, if requested. If there are too many, only some of them are
   * included.
   */
  readonly progress: ReadonlyArray<FeedProgress>
}

/** The result of a `ChangesQuery`. */
export interface Changes {
  /** The requested jobs that exist. */
  readonly jobs: ReadonlyMap<JobId, JobChange>
  /** The page of the feed; none if the query was only for jobs. */
  readonly feed: Option.Option<FeedPage>
}
