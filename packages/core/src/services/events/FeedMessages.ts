/** What a subscriber to a job or a workspace hears next, from the place where it is. */
import { Effect, Option, Stream } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import type { FeedPlace } from "../../domain/job/FeedPlace.ts"
import type { JobStoreError } from "../../ports/JobStore.ts"
import {
  type ChangePoller,
  type Channel,
  type FeedEntryMessage,
  isBehind,
  type Page,
  pageAfter
} from "./ChangePoller.ts"

/** What a subscriber hears. */
export type FeedMessage =
  | FeedEntryMessage
  /** From 0 to 1. It has no place in the history: only the latest one of a job is sent. */
  | { readonly _tag: "Progressed"; readonly jobId: JobId; readonly progress: number }
  /** Nothing more happens to the one job, unless somebody asks for it. This is the last notice. */
  | { readonly _tag: "Ended"; readonly place: FeedPlace }
  /** Everything up to here was sent. */
  | { readonly _tag: "Reached"; readonly place: FeedPlace }
  /** What came after the place before is not known any more; the feed continues from here. */
  | { readonly _tag: "Reset"; readonly place: FeedPlace }
  /** Nothing has happened for a while, and the stream is still there. */
  | { readonly _tag: "Quiet" }

const quiet: FeedMessage = { _tag: "Quiet" }

/** Where a subscriber is, and the progress that it heard of last. */
interface Position {
  readonly place: FeedPlace
  readonly progress: ReadonlyMap<JobId, number>
  readonly beats: number
}

/** A channel, and the store for a subscriber that is behind it. */
export interface Source {
  readonly channel: Channel
  readonly hub: ChangePoller
  readonly read: (place: FeedPlace) => Effect.Effect<Page, JobStoreError>
}

/** Makes something of what a channel has, once for all its subscribers. */
const once = <A extends object, B>(make: (from: A) => B): ((from: A) => B) => {
  const made = new WeakMap<A, B>()
  return (from) => {
    const known = made.get(from) ?? make(from)
    made.set(from, known)
    return known
  }
}

const toShares = once((progress: Position["progress"]) =>
  Array.from(progress, ([jobId, share]) => ({
    _tag: "Progressed" as const,
    jobId,
    progress: share
  }))
)

const newShares = (
  progress: Position["progress"],
  known: Position["progress"]
): ReadonlyArray<FeedMessage> =>
  progress === known
    ? []
    : toShares(progress).filter(({ jobId, progress: share }) => known.get(jobId) !== share)

/** By channel: channels of several workspaces may share a place, but not the text made of it. */
const reachedOf = once((_channel: Channel) =>
  once((place: FeedPlace): FeedMessage => ({ _tag: "Reached", place }))
)

/** The notice behind all entries of a page, unless the job is gone. */
const closing = (
  channel: Channel,
  { end, isContinued, through: place }: Page
): ReadonlyArray<FeedMessage> => {
  if (end === "Gone") return []
  if (end === "Ended") return [{ _tag: "Ended", place }]
  return [isContinued ? reachedOf(channel)(place) : { _tag: "Reset", place }]
}

/** The notices of a page, and where a subscriber is after it; none where nothing follows. */
const toNotices = (
  channel: Channel,
  page: Page,
  { beats, ...before }: Partial<Position> & Pick<Position, "beats">
): readonly [ReadonlyArray<FeedMessage>, Option.Option<Position>] => {
  const known = before.progress ?? new Map<JobId, number>()
  const progress = page.progress ?? known
  const notices = [
    ...page.entries,
    ...(page.through === before.place ? [] : closing(channel, page)),
    ...newShares(progress, known)
  ]
  const next = { beats, place: page.through, progress: progress.size === 0 ? known : progress }
  return [notices, page.end === "Open" ? Option.some(next) : Option.none()]
}

/** Whether there is other progress. A channel that is not as far may tell it of deleted jobs. */
const hasProgress = ({ channel }: Source, { place, progress }: Position): boolean =>
  channel.progress !== progress &&
  newShares(channel.progress, progress).length > 0 &&
  Option.isSome(pageAfter(channel, place))

/** Waits until more follows a place, progress is made, or a beat passes, and returns it. */
const next = Effect.fnUntraced(function* (source: Source, position: Position) {
  const { channel, hub, read } = source
  const { place } = position
  while (!hub.isEnded() && !isBehind(channel, place) && !hasProgress(source, position)) {
    const beats = hub.beats()
    if (beats !== position.beats) return [[quiet], Option.some({ ...position, beats })] as const
    yield* channel.news.await
  }
  if (hub.isEnded()) return [[], Option.none<Position>()] as const
  const known = pageAfter(channel, position.place)
  return toNotices(channel, Option.isSome(known) ? known.value : yield* read(place), position)
})

/** The notices of a first page, and of all that follows it. */
export const follow = (source: Source, first: Page): Stream.Stream<FeedMessage, JobStoreError> => {
  const [notices, position] = toNotices(source.channel, first, { beats: source.hub.beats() })
  const live = Option.match(position, {
    onNone: () => Stream.empty,
    onSome: (from) =>
      Stream.paginate<Position, FeedMessage, JobStoreError>(from, (at) => next(source, at))
  })
  return Stream.concat(Stream.fromIterable(notices), live)
}
