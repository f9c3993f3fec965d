/**
 * Follows jobs and workspaces for many subscribers in one process, which together cost one query a
 * second. Each subscriber reads from its own cursor and at its own pace, and its failure does not
 * affect other subscribers.
 */
import { Context, type Duration, Effect, Layer, Option, Stream } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import type { FeedCursor } from "../../domain/job/FeedCursor.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { Segment } from "../../domain/transcription/Transcript.ts"
import type { Event } from "../../domain/transcription/Transcription.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import type { ChangesQuery, FeedPage } from "../../ports/Changes.ts"
import { withDeadline } from "../../ports/Deadline.ts"
import { JobStore, type JobStoreError, unanswered } from "../../ports/JobStore.ts"
import { makeReadPieces } from "../jobs/PartialTranscripts.ts"
import * as Quota from "../quota/Quota.ts"
import {
  feedPageMax,
  hasNewer,
  jobCursor,
  makeChangePoller,
  type Page,
  pageAfter,
  toJobPage,
  toMessage
} from "./ChangePoller.ts"
import { type FeedMessage, follow } from "./FeedMessages.ts"

/** Options of `awaitChange`. */
export interface Waiting {
  /** The revision after which to wait for a commit. */
  readonly beyond: number
  readonly atMost: Duration.Duration
}

/** A job to follow, with its workspace, which determines the queue in which the history is read. */
export type FollowedJob = Pick<Job, "id" | "workspaceId">

export class JobFeeds extends Context.Service<
  JobFeeds,
  {
    /**
     * Waits until a job has a commit after a revision, or no longer exists, for at most `atMost`,
     * and returns whether that happened. The commit is noticed within a second, even if long host
     * transactions are open elsewhere.
     */
    readonly awaitChange: (id: JobId, waiting: Waiting) => Effect.Effect<boolean>
    /**
     * Every commit of a job after a revision (0 for all commits), as they happen. The stream ends
     * when the job does, and fails when this subscriber cannot be served.
     */
    readonly followJob: (
      job: FollowedJob,
      beyond: number
    ) => Stream.Stream<FeedMessage, JobStoreError>
    /** The current cursor of the feed, for a client that follows a workspace from now on. */
    readonly currentCursor: (id: WorkspaceId) => Effect.Effect<FeedCursor, JobStoreError>
    /**
     * Every commit and every deletion in a workspace after a cursor, or from now on, and the
     * progress of its jobs. The stream has no end.
     */
    readonly followWorkspace: (
      id: WorkspaceId,
      after: Option.Option<FeedCursor>
    ) => Stream.Stream<FeedMessage, JobStoreError>
    /**
     * The text that became readable when a piece was recognised; empty if the text's pieces were
     * deleted or replaced. The text is read in the queue of the job's workspace.
     */
    readonly text: (
      job: FollowedJob,
      recognised: typeof Event.cases.PieceRecognised.Type
    ) => Effect.Effect<ReadonlyArray<Segment>, JobStoreError>
    /** Ends all streams, each after a complete message. */
    readonly end: Effect.Effect<void>
  }
>()("@verbatim/core/services/JobFeeds") {
  static readonly layer: Layer.Layer<JobFeeds, never, JobStore> = Layer.effect(
    JobFeeds,
    Effect.gen(function* () {
      const store = yield* JobStore
      const changes = (query: ChangesQuery) =>
        withDeadline({ timeoutError: () => unanswered("changes") })(store.changes(query))
      const poller = yield* makeChangePoller(changes)
      const jobQueue = makeCatchUpQueue()
      const feedQueue = makeCatchUpQueue()
      const textQueue = makeCatchUpQueue()
      const readPieces = yield* makeReadPieces

      const readJob = ({ id, workspaceId }: FollowedJob, beyond: number) =>
        jobQueue(
          workspaceId,
          Effect.map(changes({ jobs: [{ id, beyond }], feed: Option.none() }), ({ jobs }) =>
            toJobPage({ id, beyond }, jobs.get(id))
          )
        )

      const readFeed = (id: WorkspaceId, after: Option.Option<FeedCursor>) =>
        Effect.map(
          changes({
            jobs: [],
            feed: Option.some({
              workspaceIds: [id],
              after,
              limit: feedPageMax,
              withProgress: false
            })
          }),
          ({ feed }) => toPage(Option.getOrElse(feed, () => nothingIn(after)))
        )

      /**
       * While the process has subscribers, the poller knows the cursor. After the wait in the
       * queue, the poller is asked for the cursor again.
       */
      const currentCursor = (id: WorkspaceId) => {
        const ask = Effect.map(readFeed(id, Option.none()), ({ through }) => through)
        const known = (otherwise: Effect.Effect<FeedCursor, JobStoreError>) =>
          Effect.suspend(() =>
            Option.match(poller.currentCursor(), {
              onNone: () => otherwise,
              onSome: Effect.succeed
            })
          )
        return known(feedQueue(id, known(ask)))
      }

      const awaitChange = (id: JobId, { atMost, beyond }: Waiting) =>
        Effect.scoped(
          Effect.gen(function* () {
            const at = jobCursor(id, beyond)
            const channel = yield* poller.joinJob(id, at)
            while (!hasNewer(channel, at)) yield* channel.news.await
            return true
          })
        ).pipe(Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.succeed(false) }))

      const followJob = (job: FollowedJob, beyond: number) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const first = yield* readJob(job, beyond)
            const channel = yield* poller.joinJob(job.id, first.through)
            return follow(
              { channel, poller, read: ({ revision }) => readJob(job, revision) },
              first
            )
          })
        )

      const followWorkspace = (id: WorkspaceId, after: Option.Option<FeedCursor>) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const channel = yield* poller.joinFeed(id)
            const read = (cursor: FeedCursor) => feedQueue(id, readFeed(id, Option.some(cursor)))
            const cursor = Option.isSome(after) ? after.value : yield* currentCursor(id)
            const known = Option.isSome(after)
              ? pageAfter(channel, cursor)
              : Option.some(toPage(nothingIn(Option.some(cursor))))
            const page = Option.isSome(known) ? known.value : yield* read(cursor)
            return follow({ channel, poller, read }, { ...page, progress: undefined })
          })
        )

      return JobFeeds.of({
        awaitChange,
        followJob,
        currentCursor,
        followWorkspace,
        text: ({ id, workspaceId }, { plan, readyFrom: from, readyTo: to }) =>
          textQueue(
            workspaceId,
            Effect.map(readPieces({ id, plan, from, to }), ({ segments }) => segments)
          ),
        end: poller.end
      })
    })
  )
}

const nothingIn = (after: Option.Option<FeedCursor>): FeedPage => ({
  entries: [],
  through: Option.getOrElse(after, () => ({ feedId: "", ordinal: 0, jobId: "", revision: 0 })),
  hasMore: false,
  isContinued: true,
  progress: []
})

const toPage = (feed: FeedPage): Page => ({
  ...feed,
  entries: feed.entries.map(toMessage),
  progress: undefined,
  end: "Open"
})

/**
 * Maximum number of concurrent queries for subscribers that are behind; it leaves the store free
 * for other callers.
 */
const catchUpMax = 4

/** Maximum number of these queries for one workspace. */
const catchUpShare = 1

/** Runs a query in the queue of its workspace. */
type RunInQueue = <A, E>(id: WorkspaceId, question: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Makes a queue for one kind of query. A caller waits for its own workspace, and for at most one
 * reader of each other workspace, however many subscribers that workspace has.
 */
const makeCatchUpQueue = (): RunInQueue => {
  const { hold } = Quota.make({ share: catchUpShare, total: catchUpMax })
  return (id, question) => Effect.scoped(Effect.andThen(hold(id), question))
}
