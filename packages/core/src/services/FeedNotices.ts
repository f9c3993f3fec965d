/** What somebody is told next who follows a workspace, from the place where it is. */
import { Effect, Option } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import { type FeedPlace, isAfter } from "../domain/job/FeedPlace.ts"
import type { ChangeEntry, FeedStretch } from "../ports/Changes.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import { type FeedChannel, stretchAfter } from "./FeedHub.ts"

/** What somebody is told who follows a workspace. */
export type FeedNotice =
  | {
      readonly _tag: "Committed"
      readonly jobId: JobId
      readonly place: FeedPlace
      readonly entry: ChangeEntry
    }
  /** A job was deleted. Nothing of it is told after that. */
  | { readonly _tag: "Deleted"; readonly jobId: JobId; readonly place: FeedPlace }
  /** From 0 to 1. It has no place in the history: only the latest one of a job is told. */
  | { readonly _tag: "Progressed"; readonly jobId: JobId; readonly progress: number }
  /** Everything up to here was told. */
  | { readonly _tag: "Reached"; readonly place: FeedPlace }
  /** What came after the place before cannot be told; the feed goes on from here. */
  | { readonly _tag: "Reset"; readonly place: FeedPlace }

/** Where somebody is who follows a workspace, and the progress that it was told of last. */
export interface FeedPosition {
  readonly place: FeedPlace
  readonly progress: ReadonlyMap<JobId, number>
}

/** From where it is told: a channel, and the store for whoever is behind that. */
export interface FeedSource {
  readonly channel: FeedChannel
  readonly read: (place: FeedPlace) => Effect.Effect<FeedStretch, JobStoreError>
}

/** A part of the feed as it is told. */
type Part = Pick<FeedStretch, "entries" | "isContinued" | "through">

const toNotices = ({ entries, isContinued, through }: Part): ReadonlyArray<FeedNotice> => [
  ...entries.map(
    ({ entry, jobId, place }): FeedNotice =>
      Option.match(entry, {
        onNone: () => ({ _tag: "Deleted", jobId, place }),
        onSome: (commit) => ({ _tag: "Committed", jobId, place, entry: commit })
      })
  ),
  isContinued ? { _tag: "Reached", place: through } : { _tag: "Reset", place: through }
]

/** What a channel tells of progress beyond what was told. Its map is replaced where it changes. */
const toProgressNotices = (
  { progress }: FeedChannel,
  told: ReadonlyMap<JobId, number>
): ReadonlyArray<FeedNotice> =>
  progress === told
    ? []
    : Array.from(progress).flatMap(([jobId, share]) =>
        told.get(jobId) === share ? [] : [{ _tag: "Progressed" as const, jobId, progress: share }]
      )

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

/** Whether a place lies within what a channel has: nobody need ask the store about it. */
const isWithin = ({ stretch }: FeedChannel, place: FeedPlace): boolean =>
  Option.exists(
    stretch,
    ({ from, through }) =>
      through.mark === place.mark && !isAfter(from, place) && !isAfter(place, through)
  )

/** Tells whoever comes with a place what is behind it, or that it is none of this feed. */
export const firstOfFeed = Effect.fnUntraced(function* (
  { channel, read }: FeedSource,
  place: FeedPlace
) {
  const known = isWithin(channel, place) ? stretchAfter(channel, place) : Option.none()
  const part: Part = Option.isSome(known)
    ? { ...known.value, isContinued: true }
    : yield* read(place)
  return { notices: toNotices(part), place: part.through }
})

/** Whether a channel has come as far as a place. Progress from before may be of deleted jobs. */
const isAsFar = ({ stretch }: FeedChannel, place: FeedPlace): boolean =>
  Option.exists(stretch, ({ through }) => through.mark === place.mark && !isAfter(place, through))

/** Waits until the feed goes on behind a place, or progress is made, and tells how. */
export const nextOfFeed = Effect.fnUntraced(function* (
  { channel, read }: FeedSource,
  { place, progress }: FeedPosition
) {
  const isFurther = () => channel.progress !== progress && isAsFar(channel, place)
  let found = afterPlace(channel, place)
  while (Option.isNone(found) && !isFurther()) {
    yield* channel.news.await
    found = afterPlace(channel, place)
  }
  if (Option.isSome(found) && Option.isNone(found.value)) {
    // Progress is told once the channel has come as far as the store.
    const part = yield* read(place)
    return [toNotices(part), Option.some<FeedPosition>({ place: part.through, progress })] as const
  }
  const made = toProgressNotices(channel, progress)
  const part = Option.flatten(found)
  const notices = Option.match(part, {
    onNone: () => made,
    onSome: (behind) => [...toNotices({ ...behind, isContinued: true }), ...made]
  })
  const through = Option.match(part, { onNone: () => place, onSome: (behind) => behind.through })
  const next: FeedPosition = { place: through, progress: channel.progress }
  return [notices, Option.some(next)] as const
})
