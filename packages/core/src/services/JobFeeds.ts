/**
 * What happens to jobs, for many who listen in one process: together they cost it one question a
 * second. Each goes on from its own place, at its own pace, and fails by itself.
 */
import { Context, type Duration, Effect, Layer, Option, Stream } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { FeedPlace } from "../domain/job/FeedPlace.ts"
import type { Job } from "../domain/job/Job.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import type { FeedStretch } from "../ports/Changes.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"
import { makeTurns } from "./CatchUpTurns.ts"
import { makeFeedHub, stretchMax } from "./FeedHub.ts"
import { type FeedNotice, type FeedPosition, firstOfFeed, nextOfFeed } from "./FeedNotices.ts"
import { gone, type JobNotice, type JobPlace, nextOfJob } from "./JobNotices.ts"

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
    ) => Stream.Stream<JobNotice, JobStoreError>
    /** Where the feed is for somebody who listens to a workspace from now on. */
    readonly placeNow: (id: WorkspaceId) => Effect.Effect<FeedPlace, JobStoreError>
    /**
     * Every commit and every deletion of a workspace after a place, or from now on, and the
     * progress that is made meanwhile. It has no end.
     */
    readonly followWorkspace: (
      id: WorkspaceId,
      after: Option.Option<FeedPlace>
    ) => Stream.Stream<FeedNotice, JobStoreError>
  }
>()("@verbatim/core/services/JobFeeds") {
  static readonly layer: Layer.Layer<JobFeeds, never, JobStore> = Layer.effect(
    JobFeeds,
    Effect.gen(function* () {
      const { changes } = yield* JobStore
      const hub = yield* makeFeedHub(changes)
      const jobTurn = yield* makeTurns
      const feedTurn = yield* makeTurns

      const readJob = ({ id, workspaceId }: FollowedJob, beyond: number) =>
        jobTurn(
          workspaceId,
          Effect.map(changes({ jobs: [{ id, beyond }], feed: Option.none() }), ({ jobs }) =>
            Option.fromUndefinedOr(jobs.get(id))
          )
        )

      const readFeed = (id: WorkspaceId, after: Option.Option<FeedPlace>) =>
        Effect.map(
          changes({
            jobs: [],
            feed: Option.some({
              workspaceIds: [id],
              after,
              limit: stretchMax,
              withProgress: false
            })
          }),
          ({ feed }) => Option.getOrElse(feed, () => nothingIn(after))
        )

      const readBehind = (id: WorkspaceId, place: FeedPlace) =>
        feedTurn(id, readFeed(id, Option.some(place)))

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
            const channel = yield* hub.joinJob(id, { revision: beyond, owesWork: true })
            while (!channel.isGone && channel.revision <= beyond) yield* channel.news.await
            return true
          })
        ).pipe(Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.succeed(false) }))

      const followJob = (job: FollowedJob, beyond: number) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const first = yield* readJob(job, beyond)
            if (Option.isNone(first)) return Stream.make(gone)
            const channel = yield* hub.joinJob(job.id, first.value)
            const read = (revision: number) => readJob(job, revision)
            return Stream.paginate<JobPlace, JobNotice, JobStoreError>(
              { revision: beyond, progress: undefined, first },
              (place) => nextOfJob({ channel, read }, place)
            )
          })
        )

      const followWorkspace = (id: WorkspaceId, after: Option.Option<FeedPlace>) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const channel = yield* hub.joinFeed(id)
            const source = { channel, read: (place: FeedPlace) => readBehind(id, place) }
            const first = Option.isSome(after)
              ? yield* firstOfFeed(source, after.value)
              : yield* Effect.map(placeNow(id), (place) => ({ notices: [reached(place)], place }))
            const live = Stream.paginate<FeedPosition, FeedNotice, JobStoreError>(
              { place: first.place, progress: new Map() },
              (position) => nextOfFeed(source, position)
            )
            return Stream.concat(Stream.fromIterable(first.notices), live)
          })
        )

      return JobFeeds.of({ awaitChange, followJob, placeNow, followWorkspace })
    })
  )
}

const reached = (place: FeedPlace): FeedNotice => ({ _tag: "Reached", place })

const nothingIn = (after: Option.Option<FeedPlace>): FeedStretch => ({
  entries: [],
  through: Option.getOrElse(after, () => ({ mark: "", ordinal: 0, jobId: "", revision: 0 })),
  hasMore: false,
  isContinued: true,
  progress: []
})
