/** What somebody hears of a notice: events with places, behind the one that was heard last. */
import { Effect, Option } from "effect"
import { type FeedEventPlace, type FeedPlace, formatFeedPlace } from "../domain/job/FeedPlace.ts"
import type { Job } from "../domain/job/Job.ts"
import { type EventPlace, formatJobPlace, type Told, toStreamed } from "../domain/job/JobStream.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
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

/** A listener of a workspace, and the last event that it heard. */
interface FeedListener {
  readonly workspaceId: WorkspaceId
  readonly from: Option.Option<FeedEventPlace>
}

/** What one notice of a workspace is to a listener. */
export const tellOfFeed = Effect.fnUntraced(function* (
  notice: FeedNotice,
  { from, workspaceId }: FeedListener
) {
  const whole = (place: FeedPlace) =>
    formatFeedPlace(workspaceId, { place, index: Number.POSITIVE_INFINITY })
  const told: Array<Told> = []
  switch (notice._tag) {
    case "Committed": {
      const { entry, jobId, place } = notice
      const heard = heardOf(notice, from)
      for (const [index, data] of toStreamed(jobId, entry).entries()) {
        if (index <= heard) continue
        told.push({
          event: "event",
          place: yield* formatFeedPlace(workspaceId, { place, index }),
          data
        })
      }
      break
    }
    case "Deleted":
      if (heardOf(notice, from) === Number.POSITIVE_INFINITY) break
      told.push({
        event: "deleted",
        place: yield* whole(notice.place),
        data: { id: notice.jobId }
      })
      break
    case "Progressed":
      told.push({ event: "progress", data: { id: notice.jobId, progress: notice.progress } })
      break
    case "Reset":
      told.push({ event: "reset", place: yield* whole(notice.place) })
      break
    default:
      told.push({ event: "reached", place: yield* whole(notice.place) })
  }
  return told
})

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
