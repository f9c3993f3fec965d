/**
 * The one who looks for all who listen: once a second, in one question, and never while nobody
 * does. What it finds lies in channels, from which each listener takes what comes after its own
 * place. A channel keeps the latest commits only: whoever is slower reads the store by itself, so
 * nobody is waited for, and nothing grows.
 */
import { Duration, Effect, Latch, Option, type Scope } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import { type FeedPlace, isAfter } from "../domain/job/FeedPlace.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import type {
  ChangeEntry,
  Changes,
  FeedEntry,
  FeedProgress,
  FeedStretch,
  JobChange
} from "../ports/Changes.ts"
import type { JobStore, JobStoreError } from "../ports/JobStore.ts"

/** Between two looks: what a person takes for at once, at one question a second. */
const lookInterval: Duration.Duration = Duration.seconds(1)

/** Commits that a channel keeps, for listeners that are a few looks behind. */
const keptMax = 256

/** Commits of all workspaces in one look: some hundred kilobytes, for what is read in one go. */
export const stretchMax = 1_000

/**
 * Looks after which a workspace is told how far the feed has come, although nothing happened in it:
 * whoever comes back with that place has less to go through.
 */
const quietLooksMax = 15

/** What listeners wait for that have taken everything. */
interface Channel {
  listeners: number
  /** Opened by the next news, and then replaced by a closed one. */
  news: Latch.Latch
}

/** The latest of one job. */
export interface JobChannel extends Channel {
  /** The commits after `from`, up to `revision`. */
  entries: ReadonlyArray<ChangeEntry>
  from: number
  revision: number
  owesWork: boolean
  progress: Option.Option<number>
  isGone: boolean
}

/** The latest of one workspace. */
export interface FeedChannel extends Channel {
  entries: ReadonlyArray<FeedEntry>
  /** The stretch that `entries` are all of; none before the first look. */
  stretch: Option.Option<{ readonly from: FeedPlace; readonly through: FeedPlace }>
  /** Of the jobs at work; it is replaced where any of it changes. */
  progress: ReadonlyMap<JobId, number>
}

/** What a look asked for. */
interface Asked {
  /** Whatever happened after this place. */
  readonly asked: Option.Option<FeedPlace>
  readonly listening: ReadonlyMap<WorkspaceId, FeedChannel>
}

/** Channels for as long as somebody listens to them. */
export interface FeedHub {
  readonly joinJob: (
    id: JobId,
    known: Pick<JobChange, "owesWork" | "revision">
  ) => Effect.Effect<JobChannel, never, Scope.Scope>
  readonly joinFeed: (id: WorkspaceId) => Effect.Effect<FeedChannel, never, Scope.Scope>
  /** Where the feed was at the last look, while somebody listens to a workspace. */
  readonly placeNow: () => Option.Option<FeedPlace>
}

const tell = (channel: Channel): void => {
  channel.news.openUnsafe()
  channel.news = Latch.makeUnsafe()
}

const updateJob = (channel: JobChannel, change: JobChange | undefined): void => {
  if (change === undefined) {
    channel.isGone = true
    tell(channel)
    return
  }
  const { entries, owesWork, progress, revision } = change
  const isNew = revision > channel.revision
  const isFurther = Option.getOrUndefined(progress) !== Option.getOrUndefined(channel.progress)
  if (!isNew && !isFurther) return
  const all = [...channel.entries, ...entries]
  channel.entries = all.slice(-keptMax)
  channel.from = all.length > keptMax ? (channel.entries[0]?.revision ?? 1) - 1 : channel.from
  channel.revision = revision
  channel.owesWork = owesWork
  channel.progress = progress
  tell(channel)
}

/** Says whether there is something to tell. */
const updateFeed = (
  channel: FeedChannel,
  {
    after,
    own,
    through
  }: {
    readonly after: FeedPlace
    readonly through: FeedPlace
    readonly own: ReadonlyArray<FeedEntry>
  }
): boolean => {
  const all = [...channel.entries, ...own]
  const first = Option.match(channel.stretch, { onNone: () => after, onSome: ({ from }) => from })
  channel.entries = all.slice(-keptMax)
  const from = all[all.length - keptMax - 1]?.place ?? first
  const isFirst = Option.isNone(channel.stretch)
  channel.stretch = Option.some({ from, through })
  return isFirst || own.length > 0
}

const isSame = (one: ReadonlyMap<JobId, number>, other: ReadonlyMap<JobId, number>): boolean =>
  one.size === other.size && [...one].every(([id, share]) => other.get(id) === share)

/** Says whether there is something to tell. */
const updateProgress = (channel: FeedChannel, own: ReadonlyArray<FeedProgress>): boolean => {
  const progress = new Map(own.map((each) => [each.jobId, each.progress]))
  if (isSame(channel.progress, progress)) return false
  channel.progress = progress
  return true
}

/** A feed that is not the one from before: whoever was at a place of it finds that out. */
const restartFeed = (channel: FeedChannel, { through }: FeedStretch): boolean => {
  channel.entries = []
  channel.stretch = Option.some({ from: through, through })
  return true
}

const leave = <Id, C extends Channel>(channels: Map<Id, C>, id: Id, channel: C): void => {
  channel.listeners -= 1
  if (channel.listeners === 0) channels.delete(id)
}

/** The hub of a process. It looks for as long as there is the scope. */
export const makeFeedHub = Effect.fnUntraced(function* (
  changes: JobStore["Service"]["changes"]
): Effect.fn.Return<FeedHub, never, Scope.Scope> {
  const jobs = new Map<JobId, JobChannel>()
  const feeds = new Map<WorkspaceId, FeedChannel>()
  const isListenedTo = yield* Latch.make()
  let place = Option.none<FeedPlace>()
  let looks = 0

  const spread = (feed: FeedStretch, { asked, listening }: Asked): void => {
    const own = Map.groupBy(feed.entries, ({ workspaceId }) => workspaceId)
    const shares = Map.groupBy(feed.progress, ({ workspaceId }) => workspaceId)
    for (const [id, channel] of listening) {
      const after = Option.getOrElse(asked, () => feed.through)
      const isNews = feed.isContinued
        ? updateFeed(channel, { after, through: feed.through, own: own.get(id) ?? [] })
        : restartFeed(channel, feed)
      const isFurther = updateProgress(channel, shares.get(id) ?? [])
      // Once all of a look is there: whoever is told goes on at once.
      if (isNews || isFurther || looks % quietLooksMax === 0) tell(channel)
    }
    // Once the last one has left, nobody looks, and the place grows old.
    place = feeds.size === 0 ? Option.none() : Option.some(feed.through)
  }

  /** Only those who were there when it was asked are told: others would miss what was before. */
  const look: Effect.Effect<boolean, JobStoreError> = Effect.suspend(() => {
    looks += 1
    const [watched, listening] = [new Map(jobs), new Map(feeds)]
    const asked = place
    const query = {
      jobs: Array.from(watched, ([id, { revision }]) => ({ id, beyond: revision })),
      feed:
        listening.size === 0
          ? Option.none()
          : Option.some({
              workspaceIds: [...listening.keys()],
              after: asked,
              limit: stretchMax,
              withProgress: true
            })
    }
    return Effect.map(changes(query), (found: Changes) => {
      for (const [id, channel] of watched) updateJob(channel, found.jobs.get(id))
      if (Option.isSome(found.feed)) spread(found.feed.value, { asked, listening })
      return Option.exists(found.feed, ({ hasMore }) => hasMore)
    })
  })

  /** Nobody is told of a failure: those who are behind ask the store themselves. */
  const lookOrLog = Effect.catchCause(look, (cause) =>
    Effect.as(Effect.logWarning("Nobody who listens could be told what happened", cause), false)
  )

  const forever = Effect.sleep(lookInterval).pipe(
    Effect.andThen(isListenedTo.await),
    Effect.andThen(Effect.repeat(lookOrLog, { while: (hasMore) => hasMore })),
    Effect.forever
  )
  yield* Effect.forkScoped(forever)

  const join = <Id, C extends Channel>(channels: Map<Id, C>, id: Id, make: () => C) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const channel = channels.get(id) ?? make()
        channels.set(id, channel)
        channel.listeners += 1
        isListenedTo.openUnsafe()
        return channel
      }),
      (channel) =>
        Effect.sync(() => {
          leave(channels, id, channel)
          if (feeds.size === 0) place = Option.none()
          if (jobs.size + feeds.size === 0) isListenedTo.closeUnsafe()
        })
    )

  return {
    joinJob: (id, { owesWork, revision }) =>
      join(jobs, id, () => ({
        listeners: 0,
        news: Latch.makeUnsafe(),
        entries: [],
        from: revision,
        revision,
        owesWork,
        progress: Option.none(),
        isGone: false
      })),
    joinFeed: (id) =>
      join(feeds, id, () => ({
        listeners: 0,
        news: Latch.makeUnsafe(),
        entries: [],
        stretch: Option.none(),
        progress: new Map()
      })),
    placeNow: () => place
  }
})

/** The commits that come after a revision; none when the channel does not have all of them. */
export const entriesBeyond = (
  { entries, from }: JobChannel,
  revision: number
): Option.Option<ReadonlyArray<ChangeEntry>> =>
  revision < from ? Option.none() : Option.some(entries.filter((each) => each.revision > revision))

/** The stretch that comes after a place; none when the channel does not have all of it. */
export const stretchAfter = (
  { entries, stretch }: FeedChannel,
  place: FeedPlace
): Option.Option<Pick<FeedStretch, "entries" | "through">> =>
  Option.flatMap(stretch, ({ from, through }) =>
    from.mark !== place.mark || isAfter(from, place)
      ? Option.none()
      : Option.some({
          entries: entries.filter((each) => isAfter(each.place, place)),
          through: isAfter(through, place) ? through : place
        })
  )
