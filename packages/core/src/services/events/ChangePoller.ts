/**
 * One poller for all subscribers to live events in a process: one question a second, and none while
 * nobody subscribes. Its answers go to channels, one for each job and workspace that is followed,
 * from which each subscriber takes what comes after its own place. A channel keeps the latest
 * commits only: a slower subscriber reads the store itself, so nobody is waited for, and nothing
 * grows.
 */
import { Duration, Effect, Latch, Option, type Scope } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import { type FeedPlace, isAfter } from "../../domain/job/FeedPlace.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import type {
  ChangeEntry,
  Changes,
  FeedEntry,
  FeedPage,
  JobChange,
  WatchedJob
} from "../../ports/Changes.ts"
import type { JobStore, JobStoreError } from "../../ports/JobStore.ts"

/** Between two looks: a person takes it for at once, at one question a second. */
const lookInterval: Duration.Duration = Duration.seconds(1)

/** Commits that a channel keeps, for subscribers that are a few looks behind. */
const keptMax = 256

/** Commits of all workspaces in one look: some hundred kilobytes, for what is read in one go. */
export const feedPageMax = 1_000

/**
 * Looks after which the subscribers of a workspace hear how far the feed has come, although nothing
 * happened in it: a subscriber that comes back with that place has less to go through.
 */
const quietLooksMax = 15

/** Less than proxies and our own listener keep a silent connection. */
const beatInterval: Duration.Duration = Duration.seconds(15)

/** What a subscriber hears that has a place of its own. */
export type FeedEntryMessage =
  | {
      readonly _tag: "Committed"
      readonly jobId: JobId
      readonly place: FeedPlace
      readonly entry: ChangeEntry
    }
  /** A job was deleted, or there was none. Nothing of it follows. */
  | { readonly _tag: "Deleted"; readonly jobId: JobId; readonly place: FeedPlace }

/** Made once for all subscribers of a channel. */
export const toNotice = ({
  entry,
  jobId,
  place
}: Pick<FeedEntry, "entry" | "jobId" | "place">): FeedEntryMessage =>
  Option.match(entry, {
    onNone: () => ({ _tag: "Deleted", jobId, place }),
    onSome: (commit) => ({ _tag: "Committed", jobId, place, entry: commit })
  })

/** What follows a place in the history of a job or of a workspace. */
export interface Page {
  readonly entries: ReadonlyArray<FeedEntryMessage>
  readonly through: FeedPlace
  /** False where the place before is none of this feed, or what followed it is forgotten. */
  readonly isContinued: boolean
  /** Of the jobs at work; missing where it was not asked for. */
  readonly progress: ReadonlyMap<JobId, number> | undefined
  /** Whether more follows. The feed of a workspace stays open. */
  readonly end: "Ended" | "Gone" | "Open"
}

/** The latest of one job or one workspace. */
export interface Channel extends Pick<Page, "end" | "entries"> {
  subscribers: number
  /** Opened by the next news, and then replaced by a closed one. */
  news: Latch.Latch
  entries: Page["entries"]
  /** The stretch that `entries` are all of; none before the first look. */
  stretch: Option.Option<{ readonly from: FeedPlace; readonly through: FeedPlace }>
  /** It is replaced where any of it changes. */
  progress: ReadonlyMap<JobId, number>
  end: Page["end"]
}

/** The place of a commit in the history of its job alone. */
export const jobPlace = (jobId: JobId, revision: number): FeedPlace => ({
  mark: "",
  ordinal: 0,
  jobId,
  revision
})

/** The page that an answer about one job is. */
export const toJobPage = ({ beyond, id }: WatchedJob, change: JobChange | undefined): Page => {
  // Also where a store told fewer commits than there are: otherwise it would be asked for ever.
  const through = jobPlace(id, Math.max(beyond, change?.revision ?? 0))
  if (change === undefined) {
    const entries = [toNotice({ jobId: id, place: through, entry: Option.none() })]
    return { entries, through, isContinued: true, progress: new Map(), end: "Gone" }
  }
  const { entries, owesWork, progress } = change
  return {
    entries: entries.map((entry) =>
      toNotice({ jobId: id, place: jobPlace(id, entry.revision), entry: Option.some(entry) })
    ),
    through,
    isContinued: true,
    progress: new Map(owesWork && Option.isSome(progress) ? [[id, progress.value]] : []),
    end: owesWork ? "Open" : "Ended"
  }
}

/** Channels for as long as somebody subscribes to them. */
export interface ChangePoller {
  /** Joins at a place up to which the caller knows the job. */
  readonly joinJob: (id: JobId, at: FeedPlace) => Effect.Effect<Channel, never, Scope.Scope>
  readonly joinFeed: (id: WorkspaceId) => Effect.Effect<Channel, never, Scope.Scope>
  /** Where the feed was at the last look, while somebody subscribes to a workspace. */
  readonly placeNow: () => Option.Option<FeedPlace>
  /** How often a timer has woken all subscribers, so that they show that they are still there. */
  readonly beats: () => number
  /** Whether all streams end, each behind a notice that was heard whole. */
  readonly isEnded: () => boolean
  readonly end: Effect.Effect<void>
}

const announce = (channel: Channel): void => {
  const { news } = channel
  // A subscriber that wakes runs at once, and may wait for the next news.
  channel.news = Latch.makeUnsafe()
  news.openUnsafe()
}

const isSame = (one: ReadonlyMap<JobId, number>, other: ReadonlyMap<JobId, number>): boolean =>
  one.size === other.size && [...one].every(([id, share]) => other.get(id) === share)

/** Adds what followed a place, and says whether it is news. */
const advance = (channel: Channel, after: FeedPlace, page: Page): boolean => {
  const { end, progress, stretch } = channel
  const all = page.isContinued ? [...channel.entries, ...page.entries] : []
  const known = Option.match(stretch, { onNone: () => after, onSome: ({ from }) => from })
  const first = page.isContinued ? known : page.through
  channel.entries = all.slice(-keptMax)
  const from = all[all.length - keptMax - 1]?.place ?? first
  channel.stretch = Option.some({ from, through: page.through })
  channel.end = page.end
  const isFurther = page.progress !== undefined && !isSame(progress, page.progress)
  if (isFurther) channel.progress = page.progress
  const isNew = page.entries.length > 0 || page.end !== end || !page.isContinued
  return isNew || isFurther || Option.isNone(stretch)
}

/** The hub of a process. It looks until the scope ends. */
export const makeChangePoller = Effect.fnUntraced(function* (
  changes: JobStore["Service"]["changes"]
): Effect.fn.Return<ChangePoller, never, Scope.Scope> {
  const jobs = new Map<JobId, Channel>()
  const feeds = new Map<WorkspaceId, Channel>()
  const hasSubscribers = yield* Latch.make()
  let place = Option.none<FeedPlace>()
  let looks = 0
  let beats = 0
  let isEnded = false

  const spread = (
    feed: FeedPage,
    asked: { readonly after: FeedPlace; readonly channels: ReadonlyMap<WorkspaceId, Channel> }
  ): void => {
    const entries = Map.groupBy(feed.entries, ({ workspaceId }) => workspaceId)
    const shares = Map.groupBy(feed.progress, ({ workspaceId }) => workspaceId)
    for (const [id, channel] of asked.channels) {
      const progress = new Map(shares.get(id)?.map((each) => [each.jobId, each.progress]))
      const notices = (entries.get(id) ?? []).map(toNotice)
      const page: Page = { ...feed, entries: notices, progress, end: "Open" }
      if (advance(channel, asked.after, page) || looks % quietLooksMax === 0) announce(channel)
    }
    // Once the last one has left, nobody looks, and the place grows old.
    place = feeds.size === 0 ? Option.none() : Option.some(feed.through)
  }

  /** Only channels that were there when it was asked advance: others would miss what was before. */
  const look: Effect.Effect<boolean, JobStoreError> = Effect.suspend(() => {
    looks += 1
    const watched = Array.from(jobs, ([id, channel]) => {
      const through = Option.map(channel.stretch, (stretch) => stretch.through)
      return { id, channel, beyond: Option.match(through, { onNone: () => 0, onSome: revisionOf }) }
    })
    const channels = new Map(feeds)
    const after = place
    const query = {
      jobs: watched.map(({ beyond, id }) => ({ id, beyond })),
      feed:
        channels.size === 0
          ? Option.none()
          : Option.some({
              workspaceIds: [...channels.keys()],
              after,
              limit: feedPageMax,
              withProgress: true
            })
    }
    return Effect.map(changes(query), (found: Changes) => {
      for (const { beyond, channel, id } of watched) {
        const page = toJobPage({ id, beyond }, found.jobs.get(id))
        const isFurther = page.through.revision > beyond
        if (advance(channel, page.through, page) || isFurther) announce(channel)
      }
      const feed = Option.getOrUndefined(found.feed)
      if (feed !== undefined)
        spread(feed, { after: Option.getOrElse(after, () => feed.through), channels })
      return feed?.hasMore ?? false
    })
  })

  /** Nobody hears of a failure: subscribers that are behind ask the store themselves. */
  const lookOrLog = Effect.catchCause(look, (cause) =>
    Effect.as(Effect.logWarning("Live events could not be read", cause), false)
  )

  const forever = Effect.sleep(lookInterval).pipe(
    Effect.andThen(hasSubscribers.await),
    Effect.andThen(Effect.repeat(lookOrLog, { while: (hasMore) => hasMore })),
    Effect.forever
  )
  yield* Effect.forkScoped(forever)

  const wakeAll = Effect.sync(() => {
    for (const channel of jobs.values()) announce(channel)
    for (const channel of feeds.values()) announce(channel)
  })
  const beat = Effect.suspend(() => {
    beats += 1
    return wakeAll
  })
  const beating = Effect.andThen(hasSubscribers.await, Effect.delay(beat, beatInterval))
  yield* Effect.forkScoped(Effect.forever(beating))

  const join = <Id>(channels: Map<Id, Channel>, id: Id, stretch: Channel["stretch"]) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const channel: Channel = channels.get(id) ?? {
          subscribers: 0,
          news: Latch.makeUnsafe(),
          entries: [],
          stretch,
          progress: new Map(),
          end: "Open"
        }
        channels.set(id, channel)
        channel.subscribers += 1
        hasSubscribers.openUnsafe()
        return channel
      }),
      (channel) =>
        Effect.sync(() => {
          channel.subscribers -= 1
          if (channel.subscribers === 0) channels.delete(id)
          if (feeds.size === 0) place = Option.none()
          if (jobs.size + feeds.size === 0) hasSubscribers.closeUnsafe()
        })
    )

  return {
    joinJob: (id, at) => join(jobs, id, Option.some({ from: at, through: at })),
    joinFeed: (id) => join(feeds, id, Option.none()),
    placeNow: () => place,
    beats: () => beats,
    isEnded: () => isEnded,
    end: Effect.suspend(() => {
      isEnded = true
      return wakeAll
    })
  }
})

const revisionOf = ({ revision }: FeedPlace): number => revision

/** Whether a channel has something that comes after a place. */
export const isBehind = ({ end, stretch }: Channel, place: FeedPlace): boolean =>
  end === "Gone" ||
  Option.exists(stretch, ({ through }) => through.mark !== place.mark || isAfter(through, place))

/** What comes after a place; none when the channel does not have all of it, or is not as far. */
export const pageAfter = (
  { end, entries, progress, stretch }: Channel,
  place: FeedPlace
): Option.Option<Page> => {
  const page = { isContinued: true, progress, end }
  // Of a job that is gone nothing else is left to send.
  if (end === "Gone") return Option.some({ ...page, entries: entries.slice(-1), through: place })
  return Option.flatMap(stretch, ({ from, through }) =>
    from.mark !== place.mark || isAfter(from, place) || isAfter(place, through)
      ? Option.none()
      : Option.some({
          ...page,
          entries: entries.filter((each) => isAfter(each.place, place)),
          through: isAfter(through, place) ? through : place
        })
  )
}
