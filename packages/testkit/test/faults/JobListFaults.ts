/** Job stores that list, delete or recognise wrongly. */
import { legacyStatus } from "@verbatim/core/job"
import {
  type Changes,
  type FeedStretch,
  type JobChange,
  JobStore,
  type Stores,
  WorkspaceStore
} from "@verbatim/core/ports"
import type { TranscriptPart } from "@verbatim/core/transcription"
import { DateTime, Effect, Option } from "effect"
import { type Fault, plantFaults, type Replacement } from "./Fault.ts"

export const jobListFaults = plantFaults(JobStore, {
  // Lists the oldest job first.
  "lists the jobs of one workspace, the greatest id first": ({ list }) => ({
    list: (query) => Effect.map(list(query), (jobs) => jobs.toReversed())
  }),
  // Ends when the job that a page begins behind is gone.
  "lists page after page without gaps or repeats, whatever comes or goes meanwhile": (
    { list },
    { jobs }
  ) => ({
    list: (query) =>
      Option.exists(query.after, (id) => !jobs.has(id)) ? Effect.succeed([]) : list(query)
  }),
  // Looks for the status among the jobs of one page only.
  "lists jobs by the status that they have now": ({ list }) => ({
    list: (query) =>
      Effect.map(list({ ...query, status: Option.none(), limit: 2 }), (jobs) =>
        jobs.filter(
          (job) => Option.isNone(query.status) || legacyStatus(job) === query.status.value
        )
      )
  }),
  // Takes the jobs of others for those of a workspace.
  "tells whether a workspace has any job": (_, { jobs }) => ({
    hasAny: () => Effect.sync(() => jobs.size > 0)
  }),
  // Leaves the work of a deleted job.
  "takes the work of a deleted job from whoever holds it": ({ remove }, { work }) => ({
    remove: (workspaceId, id) => {
      const row = work.get(id)
      return Effect.tap(remove(workspaceId, id), () =>
        Effect.sync(() => row !== undefined && work.set(id, row))
      )
    }
  }),
  // Gives back what a deleted job cost.
  "deletes a job with all that belongs to it, but its charge": ({ remove }, { ledger }) => ({
    remove: (workspaceId, id) => {
      ledger.delete(`job:${id}`)
      return remove(workspaceId, id)
    }
  }),
  // Makes a job before it looks for its key.
  "remembers the key of a job, and makes no second job under it": ({ insert }) => ({
    insert: (creation) =>
      Effect.flatMap(insert({ ...creation, idempotency: Option.none() }), () =>
        Effect.catch(insert(creation), () => Effect.succeedNone)
      )
  }),
  // Forgets the key with the job.
  "keeps a key when its job is deleted, and none of a job that was refused": (
    { remove },
    { idempotency }
  ) => ({
    remove: (workspaceId, id) => {
      for (const [key, { jobId }] of idempotency) if (jobId === id) idempotency.delete(key)
      return remove(workspaceId, id)
    }
  }),
  // Takes keys for equal that differ in case.
  "keeps keys apart by their spelling and their workspace": ({ insert }) => ({
    insert: (creation) =>
      insert({
        ...creation,
        idempotency: Option.map(creation.idempotency, (record) => ({
          ...record,
          key: record.key.toLowerCase() as typeof record.key
        }))
      })
  })
})

/** The memory adapter with parts other than it made. */
const changing =
  (change: (part: TranscriptPart) => TranscriptPart): Replacement<JobStore["Service"]> =>
  ({ transcriptPart }) => ({
    transcriptPart: (id, before) => Effect.map(transcriptPart(id, before), Option.map(change))
  })

/** What may be wrong with the parts of a transcript. */
export const transcriptPartFaults = plantFaults(JobStore, {
  // Answers parts of a transcript that is deleted.
  "has no further part of a transcript that was deleted meanwhile": ({ transcriptPart }) => ({
    transcriptPart: (id, before) =>
      Effect.map(transcriptPart(id, before), (part) =>
        Option.orElse(part, () => Option.map(before, (mark) => ({ ...mark, segments: [] })))
      )
  }),
  // Cuts long texts short.
  "answers every text in parts as it is, however long one is": changing((part) => ({
    ...part,
    segments: part.segments.map((each) => ({ ...each, text: each.text.slice(0, 50_000) }))
  })),
  // Says of silence that there is no transcript.
  "answers a short transcript in one part, and none where there is no transcript": ({
    transcriptPart
  }) => ({
    transcriptPart: (id, before) =>
      Effect.map(
        transcriptPart(id, before),
        Option.filter(({ segments }) => segments.length > 0)
      )
  })
})

/** What may be wrong with peaks. */
export const peakFaults = plantFaults(JobStore, {
  // Keeps no peaks.
  "keeps the peaks that come with a transcript, of one piece or many": () => ({
    peaks: () => Effect.succeedNone
  })
})

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
  // Tells the first job alone.
  "tells of many jobs at once what was committed beyond the revision of each": ({ changes }) => ({
    changes: (query) => changes({ ...query, jobs: query.jobs.slice(0, 1) })
  }),
  // Says that an ended job owes work.
  "tells whether a job owes work, and how far that has come": ofJobs((job) => ({
    ...job,
    owesWork: true
  })),
  // Tells the latest first.
  "tells each commit of a workspace once, in order, from any place on": ofFeed((stretch) => ({
    ...stretch,
    entries: stretch.entries.toReversed()
  })),
  // Takes a stretch for the whole.
  "tells a long feed in stretches, without a gap and without a repeat": ofFeed((stretch) => ({
    ...stretch,
    hasMore: false
  })),
  // Says that it told what is yet to come.
  "gives nothing a place before one that was told, whoever commits meanwhile": ofFeed(
    (stretch) => ({
      ...stretch,
      through: { ...stretch.through, ordinal: stretch.through.ordinal + 1 }
    })
  ),
  // Goes on as if the place were its own.
  "says that a place is not one of its own, and where it is now": ofFeed((stretch) => ({
    ...stretch,
    isContinued: true
  })),
  // Forgets that it was.
  "tells that a job was deleted in place of its commits, and gives its places to no others": ofFeed(
    (stretch) => ({
      ...stretch,
      entries: stretch.entries.filter(({ entry }) => Option.isSome(entry))
    })
  ),
  // Tells deletions first.
  "tells each deletion to its workspace alone, once, in stretches, among the commits": ofFeed(
    (stretch) => ({
      ...stretch,
      entries: stretch.entries.toSorted(
        (one, other) => Number(Option.isSome(one.entry)) - Number(Option.isSome(other.entry))
      )
    })
  ),
  // Tells none.
  "tells of the progress of jobs at work, to their workspaces, where it is asked for": ofFeed(
    (stretch) => ({ ...stretch, progress: [] })
  ),
  // Remembers what was forgotten.
  "says in the feed what the history says, once a text is forgotten": ofFeed((stretch) => ({
    ...stretch,
    entries: stretch.entries.map((each) => ({
      ...each,
      entry: Option.map(each.entry, (entry) => ({ ...entry, events: Option.none() }))
    }))
  }))
})

const jobFaults = plantFaults(JobStore, {
  // Forgets who asked for a job.
  "keeps the key that asked for a job, and charges in its name": ({ commit, insert }) => ({
    insert: (creation) => {
      const { keyId: _, ...job } = creation.job
      return insert({ ...creation, job })
    },
    commit: (change) => {
      const { keyId: _, ...next } = change.next
      return commit({ ...change, next })
    }
  })
})

const sumFaults = plantFaults(WorkspaceStore, {
  // Counts the last instant of a time too.
  "sums a time from its first instant up to and without its last": ({ usage }) => ({
    usage: (query) => usage({ ...query, to: DateTime.add(query.to, { milliseconds: 1 }) })
  }),
  // Sums all workspaces where one is named.
  "sums one workspace and one key where they are named": ({ usage }) => ({
    usage: (query) => usage({ ...query, workspaceId: null })
  }),
  // Leaves out what no key asked for.
  "sums each line once, whatever the rows are about and however they are paged": ({ usage }) => ({
    usage: (query) =>
      Effect.map(usage(query), (rows) =>
        rows.filter(({ keyId }) => query.by !== "key" || keyId !== null)
      )
  }),
  // Sums in 32-bit floats.
  "sums what is larger than 32 bits exactly": ({ usage }) => ({
    usage: (query) =>
      Effect.map(usage(query), (rows) =>
        rows.map((row) => ({ ...row, chargedMillis: Math.fround(row.chargedMillis) }))
      )
  })
})

export const usageFaults: ReadonlyArray<Fault<Stores>> = [...jobFaults, ...sumFaults]
