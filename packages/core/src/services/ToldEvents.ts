/** What somebody hears of a notice: events with places, behind the one that was heard last. */
import { Option } from "effect"
import type { FeedPlace } from "../domain/job/FeedPlace.ts"
import type { Job } from "../domain/job/Job.ts"
import {
  type EventPlace,
  type FeedEventPlace,
  formatFeedPlace,
  formatJobPlace,
  type Told,
  toStreamed
} from "../domain/job/JobStream.ts"
import type { FeedNotice } from "./FeedNotices.ts"
import type { JobNotice } from "./JobNotices.ts"

/** What one notice of a job is to a listener. */
export const tellOfJob = (
  { id }: Job,
  notice: JobNotice,
  from: EventPlace
): ReadonlyArray<Told> => {
  switch (notice._tag) {
    case "Committed": {
      const { revision } = notice.entry
      return toStreamed(id, notice.entry).flatMap((data, index) =>
        revision < from.revision || (revision === from.revision && index <= from.index)
          ? []
          : [{ event: "event", place: formatJobPlace({ revision, index }), data }]
      )
    }
    case "Progressed":
      return [{ event: "progress", data: { id, progress: notice.progress } }]
    case "Ended": {
      const place = formatJobPlace({ revision: notice.revision, index: Number.POSITIVE_INFINITY })
      return [{ event: "end", place, data: { id } }]
    }
    default:
      return [{ event: "deleted", data: { id } }]
  }
}

/** What one notice of a workspace is to a listener. */
export const tellOfFeed = (
  notice: FeedNotice,
  from: Option.Option<FeedEventPlace>
): ReadonlyArray<Told> => {
  switch (notice._tag) {
    case "Committed": {
      const { entry, jobId, place } = notice
      const heard = heardOf(notice, from)
      return toStreamed(jobId, entry).flatMap((data, index) =>
        index <= heard ? [] : [{ event: "event", place: formatFeedPlace({ place, index }), data }]
      )
    }
    case "Deleted":
      return heardOf(notice, from) === Number.POSITIVE_INFINITY
        ? []
        : [{ event: "deleted", place: formatWhole(notice.place), data: { id: notice.jobId } }]
    case "Progressed":
      return [{ event: "progress", data: { id: notice.jobId, progress: notice.progress } }]
    case "Reset":
      return [{ event: "reset", place: formatWhole(notice.place) }]
    default:
      return [{ event: "reached", place: formatWhole(notice.place) }]
  }
}

const formatWhole = (place: FeedPlace): string =>
  formatFeedPlace({ place, index: Number.POSITIVE_INFINITY })

/** The last event of a commit that was heard; -1 for none. */
const heardOf = (
  { jobId, place }: { readonly jobId: string; readonly place: FeedPlace },
  from: Option.Option<FeedEventPlace>
): number =>
  Option.match(from, {
    onNone: () => -1,
    onSome: ({ index, place: last }) =>
      last.ordinal === place.ordinal && last.jobId === jobId && last.revision === place.revision
        ? index
        : -1
  })
