/** What has happened to jobs since somebody looked, for many who ask at once. */
import { type DateTime, Duration, type Option } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { FeedPlace } from "../domain/job/FeedPlace.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"

/** A job, and how much of its history is known. */
export interface WatchedJob {
  readonly id: JobId
  /** Commits after this revision are wanted; 0 for all of them. */
  readonly beyond: number
}

/** What of the feed is wanted. */
export interface FeedQuery {
  /** Commits of jobs of these workspaces. */
  readonly workspaceIds: ReadonlyArray<WorkspaceId>
  /** Those after this place. Without one, nothing but the place where the feed is now. */
  readonly after: Option.Option<FeedPlace>
  /** Most commits to go through, of whatever workspace: this bounds what the question costs. */
  readonly limit: number
  /** Whether to tell how far the work on their jobs has come. */
  readonly withProgress: boolean
}

/**
 * Most jobs at work whose progress is in one answer, of all workspaces together: more than a fleet
 * of workers recognises at a time.
 */
export const progressMax = 1_000

/**
 * How long the feed tells that a job was deleted. Whoever comes with a place from before that is
 * told to start anew. A listener may be away for a long weekend, and a store that deletes a million
 * jobs a day has seven million small rows.
 */
export const deletionRetention: Duration.Duration = Duration.days(7)

/** What many want to know, in one question. */
export interface ChangesQuery {
  readonly jobs: ReadonlyArray<WatchedJob>
  readonly feed: Option.Option<FeedQuery>
}

/** A commit, as far as those who follow a job are told. */
export interface ChangeEntry {
  readonly revision: number
  readonly at: DateTime.Utc
  /** None when this version of the program cannot read them. */
  readonly events: Option.Option<ReadonlyArray<JobEvent>>
}

/** How a job stands. */
export interface JobChange {
  readonly revision: number
  /** Whether it owes work: otherwise nothing happens to it unless somebody asks for it. */
  readonly owesWork: boolean
  /** How far the work on it has come, as its last renewal reported it. */
  readonly progress: Option.Option<number>
  /** The commits that were wanted, oldest first, without gaps. */
  readonly entries: ReadonlyArray<ChangeEntry>
}

/** A commit in the feed, or that a job was deleted. */
export interface FeedEntry {
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  readonly place: FeedPlace
  /** None where the job was deleted: nothing of it comes after that. */
  readonly entry: Option.Option<ChangeEntry>
}

/** How far the work on a job has come, as its last renewal reported it. */
export interface FeedProgress {
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  /** From 0 to 1. */
  readonly progress: number
}

/** A stretch of the feed. */
export interface FeedPage {
  /** In the order of their places. */
  readonly entries: ReadonlyArray<FeedEntry>
  /** Everything up to here is told: the next question begins after it. */
  readonly through: FeedPlace
  /** Whether it goes on behind `through`. */
  readonly hasMore: boolean
  /**
   * Whether the place to begin after is one of this feed, and nothing behind it is forgotten. Where
   * it is not, what came after it cannot be told, `entries` is empty, and `through` is where the
   * feed is now.
   */
  readonly isContinued: boolean
  /** Of jobs at work now, where it was asked for: some of them, where there are too many. */
  readonly progress: ReadonlyArray<FeedProgress>
}

/** The answers. */
export interface Changes {
  /** The jobs that exist. */
  readonly jobs: ReadonlyMap<JobId, JobChange>
  /** None when the feed was not asked for. */
  readonly feed: Option.Option<FeedPage>
}
