/** Adapters that are wrong about what they tell those who listen. */
import { type Changes, type FeedStretch, type JobChange, JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { plantFaults } from "./Fault.ts"

type Store = JobStore["Service"]

/** Tells jobs otherwise. */
const ofJobs =
  (change: (job: JobChange) => JobChange) =>
  ({ changes }: Pick<Store, "changes">): Partial<Store> => ({
    changes: (query) =>
      Effect.map(
        changes(query),
        (found): Changes => ({
          ...found,
          jobs: new Map(Array.from(found.jobs, ([id, job]) => [id, change(job)]))
        })
      )
  })

/** Tells the feed otherwise. */
const ofFeed =
  (change: (stretch: FeedStretch) => FeedStretch) =>
  ({ changes }: Pick<Store, "changes">): Partial<Store> => ({
    changes: (query) =>
      Effect.map(
        changes(query),
        (found): Changes => ({
          ...found,
          feed: Option.map(found.feed, change)
        })
      )
  })

export const jobChangeFaults = plantFaults(JobStore, {
  "tells of many jobs at once what was committed beyond the revision of each": {
    "tells the first job alone": ({ changes }) => ({
      changes: (query) => changes({ ...query, jobs: query.jobs.slice(0, 1) })
    })
  },
  "tells whether a job owes work, and how far that has come": {
    "says that an ended job owes work": ofJobs((job) => ({ ...job, owesWork: true }))
  },
  "tells each commit of a workspace once, in order, from any place on": {
    "tells the latest first": ofFeed((stretch) => ({
      ...stretch,
      entries: stretch.entries.toReversed()
    }))
  },
  "tells a long feed in stretches, without a gap and without a repeat": {
    "takes a stretch for the whole": ofFeed((stretch) => ({ ...stretch, hasMore: false }))
  },
  "gives nothing a place before one that was told, whoever commits meanwhile": {
    "says that it told what is yet to come": ofFeed((stretch) => ({
      ...stretch,
      through: { ...stretch.through, ordinal: stretch.through.ordinal + 1 }
    }))
  },
  "says that a place is not one of its own, and where it is now": {
    "goes on as if the place were its own": ofFeed((stretch) => ({
      ...stretch,
      isContinued: true
    }))
  },
  "tells that a job was deleted in place of its commits, and gives its places to no others": {
    "forgets that it was": ofFeed((stretch) => ({
      ...stretch,
      entries: stretch.entries.filter(({ entry }) => Option.isSome(entry))
    }))
  },
  "tells each deletion to its workspace alone, once, in stretches, among the commits": {
    "tells deletions first": ofFeed((stretch) => ({
      ...stretch,
      entries: stretch.entries.toSorted(
        (one, other) => Number(Option.isSome(one.entry)) - Number(Option.isSome(other.entry))
      )
    }))
  },
  "tells of the progress of jobs at work, to their workspaces, where it is asked for": {
    "tells none": ofFeed((stretch) => ({ ...stretch, progress: [] }))
  },
  "says in the feed what the history says, once a text is forgotten": {
    "remembers what was forgotten": ofFeed((stretch) => ({
      ...stretch,
      entries: stretch.entries.map((each) => ({
        ...each,
        entry: Option.map(each.entry, (entry) => ({ ...entry, events: Option.none() }))
      }))
    }))
  }
})
