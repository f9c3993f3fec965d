/**
 * What happens to jobs, for many who listen in one process: together they cost it one question a
 * second. Each goes on from its own place, at its own pace, and fails by itself.
 */
import { Context, type Duration, Effect, Layer, Option, Stream } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import type { FeedPlace } from "../../domain/job/FeedPlace.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import type { ChangesQuery, FeedPage } from "../../ports/Changes.ts"
import { overdue, withDeadline } from "../../ports/Deadline.ts"
import { JobStore, JobStoreError } from "../../ports/JobStore.ts"
import * as Quota from "../quota/Quota.ts"
import {
  feedPageMax,
  isBehind,
  jobPlace,
  makeChangePoller,
  type Page,
  pageAfter,
  toJobPage,
  toNotice
} from "./ChangePoller.ts"
import { type FeedMessage, follow } from "./FeedMessages.ts"

/** How long somebody waits for news of a job. */
export interface Waiting {
  /** A commit after this revision is news. */
  readonly beyond: number
  readonly atMost: Duration.Duration
}

/** A job that somebody follows, and the workspace in whose turn its history is read. */
export type FollowedJob = Pick<Job, "id" | "workspaceId">

export class JobFeeds extends Context.Service<
  JobFeeds,
  {
    /**
     * Waits until a job has a commit beyond a revision, or is no longer there, for a while at most,
     * and says whether that happened. It is noticed within a second, whatever long transactions
     * of hosts are open elsewhere.
     */
    readonly awaitChange: (id: JobId, waiting: Waiting) => Effect.Effect<boolean>
    /**
     * Every commit of a job after a revision, or all of them after 0, as they come. It ends when
     * the job does, and fails when this listener cannot be served.
     */
    readonly followJob: (
      job: FollowedJob,
      beyond: number
    ) => Stream.Stream<FeedMessage, JobStoreError>
    /** Where the feed is for somebody who listens to a workspace from now on. */
    readonly placeNow: (id: WorkspaceId) => Effect.Effect<FeedPlace, JobStoreError>
    /**
     * Every commit and every deletion of a workspace after a place, or from now on, and the
     * progress that is made meanwhile. It has no end.
     */
    readonly followWorkspace: (
      id: WorkspaceId,
      after: Option.Option<FeedPlace>
    ) => Stream.Stream<FeedMessage, JobStoreError>
    /** Ends all streams, each behind a notice that was heard whole. */
    readonly end: Effect.Effect<void>
  }
>()("@verbatim/core/services/JobFeeds") {
  static readonly layer: Layer.Layer<JobFeeds, never, JobStore> = Layer.effect(
    JobFeeds,
    Effect.gen(function* () {
      const store = yield* JobStore
      const changes = (query: ChangesQuery) => withDeadline({ late })(store.changes(query))
      const hub = yield* makeChangePoller(changes)
      const jobTurn = makeCatchUpQueue()
      const feedTurn = makeCatchUpQueue()

      const readJob = ({ id, workspaceId }: FollowedJob, beyond: number) =>
        jobTurn(
          workspaceId,
          Effect.map(changes({ jobs: [{ id, beyond }], feed: Option.none() }), ({ jobs }) =>
            toJobPage({ id, beyond }, jobs.get(id))
          )
        )

      const readFeed = (id: WorkspaceId, after: Option.Option<FeedPlace>) =>
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

      /** While somebody of the process listens, the hub knows; whoever waited asks it again. */
      const placeNow = (id: WorkspaceId) => {
        const ask = Effect.map(readFeed(id, Option.none()), ({ through }) => through)
        const known = (otherwise: Effect.Effect<FeedPlace, JobStoreError>) =>
          Effect.suspend(() =>
            Option.match(hub.placeNow(), { onNone: () => otherwise, onSome: Effect.succeed })
          )
        return known(feedTurn(id, known(ask)))
      }

      const awaitChange = (id: JobId, { atMost, beyond }: Waiting) =>
        Effect.scoped(
          Effect.gen(function* () {
            const at = jobPlace(id, beyond)
            const channel = yield* hub.joinJob(id, at)
            while (!isBehind(channel, at)) yield* channel.news.await
            return true
          })
        ).pipe(Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.succeed(false) }))

      const followJob = (job: FollowedJob, beyond: number) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const first = yield* readJob(job, beyond)
            const channel = yield* hub.joinJob(job.id, first.through)
            return follow({ channel, hub, read: ({ revision }) => readJob(job, revision) }, first)
          })
        )

      const followWorkspace = (id: WorkspaceId, after: Option.Option<FeedPlace>) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const channel = yield* hub.joinFeed(id)
            const read = (place: FeedPlace) => feedTurn(id, readFeed(id, Option.some(place)))
            const place = Option.isSome(after) ? after.value : yield* placeNow(id)
            const known = Option.isSome(after)
              ? pageAfter(channel, place)
              : Option.some(toPage(nothingIn(Option.some(place))))
            const page = Option.isSome(known) ? known.value : yield* read(place)
            return follow({ channel, hub, read }, { ...page, progress: undefined })
          })
        )

      return JobFeeds.of({ awaitChange, followJob, placeNow, followWorkspace, end: hub.end })
    })
  )
}

const late = () =>
  new JobStoreError({ operation: "changes", reason: { _tag: "Unavailable", cause: overdue } })

const nothingIn = (after: Option.Option<FeedPlace>): FeedPage => ({
  entries: [],
  through: Option.getOrElse(after, () => ({ mark: "", ordinal: 0, jobId: "", revision: 0 })),
  hasMore: false,
  isContinued: true,
  progress: []
})

const toPage = (feed: FeedPage): Page => ({
  ...feed,
  entries: feed.entries.map(toNotice),
  progress: undefined,
  end: "Open"
})

/** Questions of listeners who are behind, at a time: the store has other callers. */
const catchUpMax = 4

/** Of these, how many are of one workspace. */
const catchUpShare = 1

/** Runs a question of a workspace in its turn. */
type TakeTurn = <A, E>(id: WorkspaceId, question: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Turns at one kind of question: whoever waits, waits for its own workspace, and for one reader of
 * each other workspace at most, however many listen there.
 */
const makeCatchUpQueue = (): TakeTurn => {
  const { hold } = Quota.make({ share: catchUpShare, total: catchUpMax })
  return (id, question) => Effect.scoped(Effect.andThen(hold(id), question))
}
