/** The messages that a subscriber to a job or a workspace receives, starting after its cursor. */
import { Effect, Option, Stream } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import type { FeedCursor } from "../../domain/job/FeedCursor.ts"
import type { JobStoreError } from "../../ports/JobStore.ts"
import {
  type ChangePoller,
  type Channel,
  type FeedEntryMessage,
  hasNewer,
  type Page,
  pageAfter
} from "./ChangePoller.ts"

/** A message to a subscriber. */
export type FeedMessage =
  | FeedEntryMessage
  /**
   * The progress, from 0 to 1. Progress has no cursor, because only a job's latest progress is
   * sent.
   */
  | { readonly _tag: "Progressed"; readonly jobId: JobId; readonly progress: number }
  /**
   * The job has ended, and nothing more happens to it unless a caller requests something. No
   * message follows.
   */
  | { readonly _tag: "Ended"; readonly cursor: FeedCursor }
  /** Everything up to this cursor was sent. */
  | { readonly _tag: "Reached"; readonly cursor: FeedCursor }
  /** Entries after the previous cursor are no longer known; the feed continues from here. */
  | { readonly _tag: "Reset"; readonly cursor: FeedCursor }
  /** Sent as a sign of life when nothing has happened for a while. */
  | { readonly _tag: "Quiet" }

const quiet: FeedMessage = { _tag: "Quiet" }

/** A subscriber's cursor, and the progress that it received last. */
interface Position {
  readonly cursor: FeedCursor
  readonly progress: ReadonlyMap<JobId, number>
  readonly beats: number
}

/** A channel, and the store that a subscriber reads if it is behind the channel. */
export interface Source {
  readonly channel: Channel
  readonly poller: ChangePoller
  readonly read: (cursor: FeedCursor) => Effect.Effect<Page, JobStoreError>
}

/**
 * Caches a function's result for each argument, so that it is computed once for all subscribers.
 */
const once = <A extends object, B>(make: (from: A) => B): ((from: A) => B) => {
  const made = new WeakMap<A, B>()
  return (from) => {
    const known = made.get(from) ?? make(from)
    made.set(from, known)
    return known
  }
}

const toProgressMessages = once((progress: Position["progress"]) =>
  Array.from(progress, ([jobId, share]) => ({
    _tag: "Progressed" as const,
    jobId,
    progress: share
  }))
)

const newProgress = (
  progress: Position["progress"],
  known: Position["progress"]
): ReadonlyArray<FeedMessage> =>
  progress === known
    ? []
    : toProgressMessages(progress).filter(
        ({ jobId, progress: share }) => known.get(jobId) !== share
      )

/**
 * Cached per channel. The channel is part of the key, because the cursors in several workspaces can
 * be equal although the texts made from them differ.
 */
const reachedOf = once((_channel: Channel) =>
  once((cursor: FeedCursor): FeedMessage => ({ _tag: "Reached", cursor }))
)

/** The final message of a page, which follows all its entries; none if the job is gone. */
const lastMessages = (
  channel: Channel,
  { end, isContinued, through: cursor }: Page
): ReadonlyArray<FeedMessage> => {
  if (end === "Gone") return []
  if (end === "Ended") return [{ _tag: "Ended", cursor }]
  return [isContinued ? reachedOf(channel)(cursor) : { _tag: "Reset", cursor }]
}

/**
 * The messages of a page, and the subscriber's position after the page; none if nothing follows.
 */
const toMessages = (
  channel: Channel,
  page: Page,
  { beats, ...before }: Partial<Position> & Pick<Position, "beats">
): readonly [ReadonlyArray<FeedMessage>, Option.Option<Position>] => {
  const known = before.progress ?? new Map<JobId, number>()
  const progress = page.progress ?? known
  const messages = [
    ...page.entries,
    ...(page.through === before.cursor ? [] : lastMessages(channel, page)),
    ...newProgress(progress, known)
  ]
  const next = { beats, cursor: page.through, progress: progress.size === 0 ? known : progress }
  return [messages, page.end === "Open" ? Option.some(next) : Option.none()]
}

/**
 * Whether there is new progress. A channel that has not reached the subscriber's cursor may report
 * progress of deleted jobs.
 */
const hasProgress = ({ channel }: Source, { cursor, progress }: Position): boolean =>
  channel.progress !== progress &&
  newProgress(channel.progress, progress).length > 0 &&
  Option.isSome(pageAfter(channel, cursor))

/** Waits for new entries, for progress or for a sign of life, and returns the messages. */
const next = Effect.fnUntraced(function* (source: Source, position: Position) {
  const { channel, poller, read } = source
  const { cursor } = position
  while (!poller.isEnded() && !hasNewer(channel, cursor) && !hasProgress(source, position)) {
    const beats = poller.beats()
    if (beats !== position.beats) return [[quiet], Option.some({ ...position, beats })] as const
    yield* channel.news.await
  }
  if (poller.isEnded()) return [[], Option.none<Position>()] as const
  const known = pageAfter(channel, position.cursor)
  return toMessages(channel, Option.isSome(known) ? known.value : yield* read(cursor), position)
})

/** The messages of a first page, and all that follow. */
export const follow = (source: Source, first: Page): Stream.Stream<FeedMessage, JobStoreError> => {
  const [messages, position] = toMessages(source.channel, first, { beats: source.poller.beats() })
  const live = Option.match(position, {
    onNone: () => Stream.empty,
    onSome: (from) =>
      Stream.paginate<Position, FeedMessage, JobStoreError>(from, (at) => next(source, at))
  })
  return Stream.concat(Stream.fromIterable(messages), live)
}
