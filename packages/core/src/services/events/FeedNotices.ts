/** What a subscriber to a job or a workspace hears next, from the place where it is. */
import { Effect, Option, Stream } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import type { FeedPlace } from "../../domain/job/FeedPlace.ts"
import type { ChangeEntry } from "../../ports/Changes.ts"
import type { JobStoreError } from "../../ports/JobStore.ts"
import { type Channel, isBehind, type Page, pageAfter } from "./FeedHub.ts"

/** What a subscriber hears. */
export type FeedNotice =
  | {
      readonly _tag: "Committed"
      readonly jobId: JobId
      readonly place: FeedPlace
      readonly entry: ChangeEntry
    }
  /** A job was deleted, or there was none. Nothing of it follows. */
  | { readonly _tag: "Deleted"; readonly jobId: JobId; readonly place: FeedPlace }
  /** From 0 to 1. It has no place in the history: only the latest one of a job is sent. */
  | { readonly _tag: "Progressed"; readonly jobId: JobId; readonly progress: number }
  /** Nothing more happens to the one job, unless somebody asks for it. This is the last notice. */
  | { readonly _tag: "Ended"; readonly place: FeedPlace }
  /** Everything up to here was sent. */
  | { readonly _tag: "Reached"; readonly place: FeedPlace }
  /** What came after the place before is not known any more; the feed continues from here. */
  | { readonly _tag: "Reset"; readonly place: FeedPlace }

/** Where a subscriber is, and the progress that it heard of last. */
interface Position {
  readonly place: FeedPlace
  readonly progress: ReadonlyMap<JobId, number>
}

/** A channel, and the store for a subscriber that is behind it. */
export interface Source {
  readonly channel: Channel
  readonly read: (place: FeedPlace) => Effect.Effect<Page, JobStoreError>
}

const newShares = (
  progress: Position["progress"],
  known: Position["progress"]
): ReadonlyArray<FeedNotice> =>
  progress === known
    ? []
    : Array.from(progress).flatMap(([jobId, share]) =>
        known.get(jobId) === share ? [] : [{ _tag: "Progressed" as const, jobId, progress: share }]
      )

/** The notice behind all entries of a page, unless the job is gone. */
const closing = ({ end, isContinued, through: place }: Page): ReadonlyArray<FeedNotice> => {
  if (end === "Gone") return []
  if (end === "Ended") return [{ _tag: "Ended", place }]
  return [isContinued ? { _tag: "Reached", place } : { _tag: "Reset", place }]
}

/** The notices of a page, and where a subscriber is after it; none where nothing follows. */
const toNotices = (
  page: Page,
  before?: Position
): readonly [ReadonlyArray<FeedNotice>, Option.Option<Position>] => {
  const known = before?.progress ?? new Map<JobId, number>()
  const progress = page.progress ?? known
  const notices = [
    ...page.entries.map(
      ({ entry, jobId, place }): FeedNotice =>
        Option.match(entry, {
          onNone: () => ({ _tag: "Deleted", jobId, place }),
          onSome: (commit) => ({ _tag: "Committed", jobId, place, entry: commit })
        })
    ),
    ...(page.through === before?.place ? [] : closing(page)),
    ...newShares(progress, known)
  ]
  const next = { place: page.through, progress: progress.size === 0 ? known : progress }
  return [notices, page.end === "Open" ? Option.some(next) : Option.none()]
}

/** Whether there is other progress. A channel that is not as far may tell it of deleted jobs. */
const hasProgress = ({ channel }: Source, { place, progress }: Position): boolean =>
  channel.progress !== progress &&
  newShares(channel.progress, progress).length > 0 &&
  Option.isSome(pageAfter(channel, place))

/** Waits until more follows a place, or progress is made, and returns it. */
const next = Effect.fnUntraced(function* (source: Source, position: Position) {
  const { channel, read } = source
  while (!isBehind(channel, position.place) && !hasProgress(source, position)) {
    yield* channel.news.await
  }
  const known = pageAfter(channel, position.place)
  return toNotices(Option.isSome(known) ? known.value : yield* read(position.place), position)
})

/** The notices of a first page, and of all that follows it. */
export const follow = (source: Source, first: Page): Stream.Stream<FeedNotice, JobStoreError> => {
  const [notices, position] = toNotices(first)
  const live = Option.match(position, {
    onNone: () => Stream.empty,
    onSome: (from) =>
      Stream.paginate<Position, FeedNotice, JobStoreError>(from, (at) => next(source, at))
  })
  return Stream.concat(Stream.fromIterable(notices), live)
}
