/**
 * What happens to jobs, for many who listen in one process: together they cost it one question a
 * second. Each goes on from its own place, at its own pace, and fails by itself.
 */
import { Context, type Duration, Effect, Layer, Option, RcMap, Semaphore, Stream } from "effect"
import type { JobId } from "../domain/attempt/JobId.ts"
import { type FeedPlace, isAfter } from "../domain/job/FeedPlace.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import type { ChangeEntry, FeedEntry, FeedStretch, JobChange } from "../ports/Changes.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"
import {
  entriesBeyond,
  type FeedChannel,
  type JobChannel,
  makeFeedHub,
  stretchAfter,
  stretchMax
} from "./FeedHub.ts"

/** What somebody is told who follows a job. */
export type JobNotice =
  | { readonly _tag: "Committed"; readonly entry: ChangeEntry }
  /** From 0 to 1. It has no place in the history: only the latest one is told. */
  | { readonly _tag: "Progressed"; readonly progress: number }
  /** Nothing more happens to it, unless somebody asks for it. This is the last notice. */
  | { readonly _tag: "Ended"; readonly revision: number }
  /** It was deleted, or there was no such job. This is the last notice. */
  | { readonly _tag: "Gone" }

/** What somebody is told who follows a workspace. */
export type FeedNotice =
  | ({ readonly _tag: "Committed" } & FeedEntry)
  /** Everything up to here was told. */
  | { readonly _tag: "Reached"; readonly place: FeedPlace }
  /** What came after the place before cannot be told; the feed goes on from here. */
  | { readonly _tag: "Reset"; readonly place: FeedPlace }

/** How long somebody waits for news of a job. */
export interface Waiting {
  /** A commit after this revision is news. */
  readonly beyond: number
  readonly atMost: Duration.Duration
}

/** Questions of listeners who are behind, at a time. Others wait in the order of asking. */
const catchUpMax = 4

/** Of these, how many are of one workspace: nobody waits behind more than that of another one. */
const catchUpShare = 1

export class JobFeeds extends Context.Service<
  JobFeeds,
  {
    /**
     * Waits until a job has a commit beyond a revision, or is no longer there, for a while at most,
     * and says whether that happened. It is noticed within a second; a long transaction of a host
     * elsewhere delays it by nothing.
     */
    readonly awaitChange: (id: JobId, waiting: Waiting) => Effect.Effect<boolean>
    /**
     * Every commit of a job after a revision, or all of them after 0, as they come. It ends when
     * the job does, and fails when this listener cannot be served.
     */
    readonly followJob: (id: JobId, beyond: number) => Stream.Stream<JobNotice, JobStoreError>
    /** Every commit of a workspace after a place, or from now on. It has no end. */
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
      const jobTurns = yield* Semaphore.make(catchUpMax)
      const feedTurns = yield* Semaphore.make(catchUpMax)
      const shares = yield* RcMap.make({
        lookup: (_: WorkspaceId) => Semaphore.make(catchUpShare)
      })

      const readJob = (id: JobId, beyond: number) =>
        jobTurns.withPermit(
          Effect.map(changes({ jobs: [{ id, beyond }], feed: Option.none() }), ({ jobs }) =>
            Option.fromUndefinedOr(jobs.get(id))
          )
        )

      const readFeed = (id: WorkspaceId, after: Option.Option<FeedPlace>) => {
        const feed = Option.some({ workspaceIds: [id], after, limit: stretchMax })
        const read = Effect.map(changes({ jobs: [], feed }), (found) =>
          Option.getOrElse(found.feed, () => nothingIn(after))
        )
        // From now on, there is nothing to catch up with.
        if (Option.isNone(after)) return read
        return Effect.scoped(
          Effect.flatMap(RcMap.get(shares, id), (own) => own.withPermit(feedTurns.withPermit(read)))
        )
      }

      const awaitChange = (id: JobId, { atMost, beyond }: Waiting) =>
        Effect.scoped(
          Effect.gen(function* () {
            const channel = yield* hub.joinJob(id, { revision: beyond, owesWork: true })
            while (!channel.isGone && channel.revision <= beyond) yield* channel.news.await
            return true
          })
        ).pipe(Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.succeed(false) }))

      const followJob = (id: JobId, beyond: number) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const first = yield* readJob(id, beyond)
            if (Option.isNone(first)) return Stream.make(gone)
            const channel = yield* hub.joinJob(id, first.value)
            const read = (revision: number) => readJob(id, revision)
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
            const first = yield* readFeed(id, after)
            const read = (place: FeedPlace) => readFeed(id, Option.some(place))
            const live = Stream.paginate<FeedPlace, FeedNotice, JobStoreError>(
              first.through,
              (place) => nextOfFeed({ channel, read }, place)
            )
            return Stream.concat(Stream.fromIterable(toNotices(first)), live)
          })
        )

      return JobFeeds.of({ awaitChange, followJob, followWorkspace })
    })
  )
}

const gone: JobNotice = { _tag: "Gone" }

/** Where somebody is who follows a job. */
interface JobPlace {
  readonly revision: number
  readonly progress: number | undefined
  /** What was read before anything else. */
  readonly first: Option.Option<JobChange>
}

interface JobSource {
  readonly channel: JobChannel
  readonly read: (beyond: number) => Effect.Effect<Option.Option<JobChange>, JobStoreError>
}

/** How a job stands for somebody who is at a place; none while there is nothing new. */
const standing = (
  { channel, read }: JobSource,
  { first, progress, revision }: JobPlace
): Option.Option<Effect.Effect<Option.Option<JobChange>, JobStoreError>> => {
  if (Option.isSome(first)) return Option.some(Effect.succeed(first))
  if (channel.isGone) return Option.some(Effect.succeedNone)
  const isNew = channel.revision > revision
  if (!isNew && Option.getOrElse(channel.progress, () => progress) === progress) {
    return Option.none()
  }
  const entries = isNew ? entriesBeyond(channel, revision) : Option.some([])
  return Option.some(
    Option.match(entries, {
      onNone: () => read(revision),
      onSome: (known) => Effect.succeedSome({ ...channel, entries: known })
    })
  )
}

/** Waits for what comes next, and tells it. */
const nextOfJob = Effect.fnUntraced(function* (source: JobSource, place: JobPlace) {
  let found = standing(source, place)
  while (Option.isNone(found)) {
    yield* source.channel.news.await
    found = standing(source, place)
  }
  const change = yield* found.value
  if (Option.isNone(change)) return [[gone], Option.none<JobPlace>()] as const
  const { entries, owesWork } = change.value
  const revision = Math.max(place.revision, entries.at(-1)?.revision ?? 0)
  const progress = owesWork ? Option.getOrUndefined(change.value.progress) : undefined
  const notices: ReadonlyArray<JobNotice> = [
    ...entries.map((entry) => ({ _tag: "Committed" as const, entry })),
    ...(progress === undefined || progress === place.progress
      ? []
      : [{ _tag: "Progressed" as const, progress }]),
    ...(owesWork ? [] : [{ _tag: "Ended" as const, revision }])
  ]
  const next: JobPlace = { revision, progress: progress ?? place.progress, first: Option.none() }
  return [notices, owesWork ? Option.some(next) : Option.none()] as const
})

interface FeedSource {
  readonly channel: FeedChannel
  readonly read: (place: FeedPlace) => Effect.Effect<FeedStretch, JobStoreError>
}

const nothingIn = (after: Option.Option<FeedPlace>): FeedStretch => ({
  entries: [],
  through: Option.getOrElse(after, () => ({ mark: "", ordinal: 0, jobId: "", revision: 0 })),
  hasMore: false,
  isContinued: true
})

const toNotices = ({ entries, isContinued, through }: FeedStretch): ReadonlyArray<FeedNotice> => [
  ...entries.map((entry) => ({ _tag: "Committed" as const, ...entry })),
  isContinued ? { _tag: "Reached", place: through } : { _tag: "Reset", place: through }
]

/** Waits until the feed goes on behind a place, and tells how. */
const nextOfFeed = Effect.fnUntraced(function* ({ channel, read }: FeedSource, place: FeedPlace) {
  let found = afterPlace(channel, place)
  while (Option.isNone(found)) {
    yield* channel.news.await
    found = afterPlace(channel, place)
  }
  const stretch = Option.isSome(found.value)
    ? { ...found.value.value, hasMore: false, isContinued: true }
    : yield* read(place)
  return [toNotices(stretch), Option.some(stretch.through)] as const
})

/**
 * What a channel has behind a place: nothing yet, a stretch, or not all of it, which has to be read
 * from the store.
 */
const afterPlace = (
  channel: FeedChannel,
  place: FeedPlace
): Option.Option<Option.Option<Pick<FeedStretch, "entries" | "through">>> =>
  Option.flatMap(channel.stretch, ({ through }) =>
    through.mark === place.mark && !isAfter(through, place)
      ? Option.none()
      : Option.some(stretchAfter(channel, place))
  )
