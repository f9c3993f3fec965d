/**
 * Polls the store for all subscribers of a process: one query a second, and none while there are no
 * subscribers. The results go to channels, one for each followed job or workspace, and each
 * subscriber takes the entries after its own cursor. A channel keeps only the latest commits. A
 * subscriber that falls behind reads the store itself, so that it does not delay others and memory
 * stays bounded.
 */
import { Duration, Effect, Latch, Option } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import { type FeedCursor, isAfter } from "../../domain/job/FeedCursor.ts"
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

/**
 * Time between two polls. People hardly notice a delay of up to a second, and polling costs only
 * one query a second.
 */
const pollInterval: Duration.Duration = Duration.seconds(1)

/** Number of commits that a channel keeps, for subscribers that are a few polls behind. */
const channelEntriesMax = 256

/** Maximum number of commits, from all workspaces, in one poll: a few hundred kilobytes. */
export const feedPageMax = 1_000

/**
 * Number of polls without an entry before the subscribers to a workspace receive the current cursor
 * of the feed, so that they have less to read when they reconnect.
 */
const quietPollsMax = 15

/**
 * Interval between keep-alive messages. It is shorter than the time for which proxies and our own
 * server keep an idle connection.
 */
const beatInterval: Duration.Duration = Duration.seconds(15)

/** A feed entry: a commit or a deletion, with its own cursor. */
export type FeedEntryMessage =
  | {
      readonly _tag: "Committed"
      readonly jobId: JobId
      readonly cursor: FeedCursor
      readonly entry: ChangeEntry
    }
  /** The job was deleted, or never existed. This is the last message about it. */
  | { readonly _tag: "Deleted"; readonly jobId: JobId; readonly cursor: FeedCursor }

/** Converts an entry of a feed or a job's history to a message. */
export const toMessage = ({
  entry,
  jobId,
  cursor
}: Pick<FeedEntry, "entry" | "jobId" | "cursor">): FeedEntryMessage =>
  Option.match(entry, {
    onNone: () => ({ _tag: "Deleted", jobId, cursor }),
    onSome: (commit) => ({ _tag: "Committed", jobId, cursor, entry: commit })
  })

/** A page of entries after a cursor, in a job's history or in a workspace's feed. */
export interface Page {
  readonly entries: ReadonlyArray<FeedEntryMessage>
  readonly through: FeedCursor
  /**
   * False if the cursor before the page belongs to another feed, or if the entries after it are no
   * longer available.
   */
  readonly isContinued: boolean
  /** The progress of running jobs; undefined if not requested. */
  readonly progress: ReadonlyMap<JobId, number> | undefined
  /** Whether more entries can follow. A workspace's feed is always `Open`. */
  readonly end: "Ended" | "Gone" | "Open"
}

/** The latest entries of one job or one workspace. */
export interface Channel extends Pick<Page, "end" | "entries"> {
  subscribers: number
  /** A latch that the next change opens. It is then replaced with a new, closed latch. */
  news: Latch.Latch
  entries: Page["entries"]
  /** The range of cursors that `entries` covers without gaps; none before the first poll. */
  range: Option.Option<{ readonly from: FeedCursor; readonly through: FeedCursor }>
  /** The progress of each job; the map is replaced, never modified. */
  progress: ReadonlyMap<JobId, number>
  end: Page["end"]
}

/** Returns the cursor of one commit in the history of a job. */
export const jobCursor = (jobId: JobId, revision: number): FeedCursor => ({
  feedId: "",
  ordinal: 0,
  jobId,
  revision
})

/** Converts the store's result for one job to a page. */
export const toJobPage = ({ beyond, id }: WatchedJob, change: JobChange | undefined): Page => {
  // The cursor advances even if the store returned fewer commits than exist. Otherwise, the poller
  // would poll forever.
  const through = jobCursor(id, Math.max(beyond, change?.revision ?? 0))
  if (change === undefined) {
    const entries = [toMessage({ jobId: id, cursor: through, entry: Option.none() })]
    return { entries, through, isContinued: true, progress: new Map(), end: "Gone" }
  }
  const { entries, hasPendingWork, progress } = change
  return {
    entries: entries.map((entry) =>
      toMessage({ jobId: id, cursor: jobCursor(id, entry.revision), entry: Option.some(entry) })
    ),
    through,
    isContinued: true,
    progress: new Map(hasPendingWork && Option.isSome(progress) ? [[id, progress.value]] : []),
    end: hasPendingWork ? "Open" : "Ended"
  }
}

const wakeSubscribers = (channel: Channel): void => {
  const { news } = channel
  // The latch is replaced before it is opened, because a subscriber runs as soon as it is woken,
  // and may wait for the next change.
  channel.news = Latch.makeUnsafe()
  news.openUnsafe()
}

const isSame = (one: ReadonlyMap<JobId, number>, other: ReadonlyMap<JobId, number>): boolean =>
  one.size === other.size && [...one].every(([id, share]) => other.get(id) === share)

/** Adds a page of entries to a channel, and returns whether anything changed. */
const advance = (channel: Channel, after: FeedCursor, page: Page): boolean => {
  const { end, progress, range } = channel
  const all = page.isContinued ? [...channel.entries, ...page.entries] : []
  const known = Option.match(range, { onNone: () => after, onSome: ({ from }) => from })
  const first = page.isContinued ? known : page.through
  channel.entries = all.slice(-channelEntriesMax)
  const from = all[all.length - channelEntriesMax - 1]?.cursor ?? first
  channel.range = Option.some({ from, through: page.through })
  channel.end = page.end
  const isFurther = page.progress !== undefined && !isSame(progress, page.progress)
  if (isFurther) channel.progress = page.progress
  const isNew = page.entries.length > 0 || page.end !== end || !page.isContinued
  return isNew || isFurther || Option.isNone(range)
}

/** The channels of a process, and the state of its polls. */
interface PollerState {
  readonly jobs: Map<JobId, Channel>
  readonly feeds: Map<WorkspaceId, Channel>
  readonly hasSubscribers: Latch.Latch
  /** The feed's cursor at the last poll; empty if no workspace has subscribers. */
  cursor: Option.Option<FeedCursor>
  polls: number
}

/** Passes feed entries on to the channels of their workspaces. */
const distribute = (
  state: PollerState,
  {
    after,
    channels,
    feed
  }: {
    readonly after: FeedCursor
    readonly channels: ReadonlyMap<WorkspaceId, Channel>
    readonly feed: FeedPage
  }
): void => {
  const entries = Map.groupBy(feed.entries, ({ workspaceId }) => workspaceId)
  const shares = Map.groupBy(feed.progress, ({ workspaceId }) => workspaceId)
  for (const [id, channel] of channels) {
    const progress = new Map(shares.get(id)?.map((each) => [each.jobId, each.progress]))
    const messages = (entries.get(id) ?? []).map(toMessage)
    const page: Page = { ...feed, entries: messages, progress, end: "Open" }
    if (advance(channel, after, page) || state.polls % quietPollsMax === 0) wakeSubscribers(channel)
  }
  // When the last subscriber has left, polling stops and the cursor becomes outdated.
  state.cursor = state.feeds.size === 0 ? Option.none() : Option.some(feed.through)
}

/**
 * Creates an effect that polls once, and returns whether the feed has more entries. Only channels
 * that existed when the query started get the result, because a later channel may need earlier
 * entries.
 */
const makePoll = (
  state: PollerState,
  changes: JobStore["Service"]["changes"]
): Effect.Effect<boolean, JobStoreError> =>
  Effect.suspend(() => {
    state.polls += 1
    const watched = Array.from(state.jobs, ([id, channel]) => {
      const through = Option.map(channel.range, (range) => range.through)
      return { id, channel, beyond: Option.match(through, { onNone: () => 0, onSome: revisionOf }) }
    })
    const channels = new Map(state.feeds)
    const after = state.cursor
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
        if (advance(channel, page.through, page) || isFurther) wakeSubscribers(channel)
      }
      const feed = Option.getOrUndefined(found.feed)
      if (feed !== undefined)
        distribute(state, { feed, after: Option.getOrElse(after, () => feed.through), channels })
      return feed?.hasMore ?? false
    })
  })

/** Adds a subscriber to a channel until the scope ends. */
const join = <Id>(
  state: PollerState,
  { channels, id, range }: { channels: Map<Id, Channel>; id: Id; range: Channel["range"] }
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const channel: Channel = channels.get(id) ?? {
        subscribers: 0,
        news: Latch.makeUnsafe(),
        entries: [],
        range,
        progress: new Map(),
        end: "Open"
      }
      channels.set(id, channel)
      channel.subscribers += 1
      state.hasSubscribers.openUnsafe()
      return channel
    }),
    (channel) =>
      Effect.sync(() => {
        channel.subscribers -= 1
        if (channel.subscribers === 0) channels.delete(id)
        if (state.feeds.size === 0) state.cursor = Option.none()
        if (state.jobs.size + state.feeds.size === 0) state.hasSubscribers.closeUnsafe()
      })
  )

/** Creates the poller of a process, which polls until the scope ends. */
export const makeChangePoller = Effect.fnUntraced(function* (
  changes: JobStore["Service"]["changes"]
) {
  const state: PollerState = {
    jobs: new Map(),
    feeds: new Map(),
    hasSubscribers: yield* Latch.make(),
    cursor: Option.none(),
    polls: 0
  }
  const { feeds, hasSubscribers, jobs } = state
  let beats = 0
  let isEnded = false

  /** Polls, and only logs a failure, so that subscribers do not notice a failed poll. */
  const pollOrLog = Effect.catchCause(makePoll(state, changes), (cause) =>
    Effect.as(Effect.logWarning("Live events could not be read", cause), false)
  )

  const forever = Effect.sleep(pollInterval).pipe(
    Effect.andThen(hasSubscribers.await),
    Effect.andThen(Effect.repeat(pollOrLog, { while: (hasMore) => hasMore })),
    Effect.forever
  )
  yield* Effect.forkScoped(forever)

  const wakeAll = Effect.sync(() => {
    for (const channel of jobs.values()) wakeSubscribers(channel)
    for (const channel of feeds.values()) wakeSubscribers(channel)
  })
  const beat = Effect.suspend(() => {
    beats += 1
    return wakeAll
  })
  const beating = Effect.andThen(hasSubscribers.await, Effect.delay(beat, beatInterval))
  yield* Effect.forkScoped(Effect.forever(beating))

  return {
    /**
     * Adds a subscriber to the channel of a job, starting after the last commit that the caller
     * knows.
     */
    joinJob: (id: JobId, at: FeedCursor) =>
      join(state, { channels: jobs, id, range: Option.some({ from: at, through: at }) }),
    joinFeed: (id: WorkspaceId) => join(state, { channels: feeds, id, range: Option.none() }),
    /** The feed's cursor at the last poll; empty if no workspace has subscribers. */
    currentCursor: () => state.cursor,
    /** Number of times that all subscribers were woken for a keep-alive message. */
    beats: () => beats,
    /** Whether all streams are ending, each after its current message. */
    isEnded: () => isEnded,
    end: Effect.suspend(() => {
      isEnded = true
      return wakeAll
    })
  }
})

/** The poller of a process, with a channel for each followed job or workspace. */
export type ChangePoller = Effect.Success<ReturnType<typeof makeChangePoller>>

const revisionOf = ({ revision }: FeedCursor): number => revision

/**
 * Whether a channel has anything newer than a cursor: later entries, another feed, or the deletion
 * of the job.
 */
export const hasNewer = ({ end, range }: Channel, cursor: FeedCursor): boolean =>
  end === "Gone" ||
  Option.exists(
    range,
    ({ through }) => through.feedId !== cursor.feedId || isAfter(through, cursor)
  )

/**
 * Returns the entries after a cursor; none if the channel does not have all of them, or has not
 * reached the cursor.
 */
export const pageAfter = (
  { end, entries, progress, range }: Channel,
  cursor: FeedCursor
): Option.Option<Page> => {
  const page = { isContinued: true, progress, end }
  // If the job was deleted, only the final message is still sent.
  if (end === "Gone") return Option.some({ ...page, entries: entries.slice(-1), through: cursor })
  return Option.flatMap(range, ({ from, through }) =>
    from.feedId !== cursor.feedId || isAfter(from, cursor) || isAfter(cursor, through)
      ? Option.none()
      : Option.some({
          ...page,
          entries: entries.filter((each) => isAfter(each.cursor, cursor)),
          through: isAfter(through, cursor) ? through : cursor
        })
  )
}
