/**
 * Where a commit stands among all commits of all jobs of a store: its feed. Nothing that is
 * committed later ever gets a place before one that a reader was told of, so whoever reads on from
 * a place misses nothing and reads nothing twice.
 */

/** A place in the feed of a store. In between, there may be places where nothing stands. */
export interface FeedPlace {
  /** Of this one feed: places of another one, such as a copy of the store, mean nothing here. */
  readonly mark: string
  /** Grows with the feed. Commits may share it; then job and revision tell their order. */
  readonly ordinal: number
  /** Empty for the place before all jobs of that ordinal. */
  readonly jobId: string
  readonly revision: number
}

/** The place before everything of an ordinal. */
export const placeBefore = (mark: string, ordinal: number): FeedPlace => ({
  mark,
  ordinal,
  jobId: "",
  revision: 0
})

/** Whether a place comes after another one of the same feed. */
export const isAfter = (place: FeedPlace, other: FeedPlace): boolean => {
  if (place.ordinal !== other.ordinal) return place.ordinal > other.ordinal
  if (place.jobId !== other.jobId) return place.jobId > other.jobId
  return place.revision > other.revision
}
