/** Stores that find or remove the wrong old jobs. */
import { type JobRevision, JobStore, RetentionStore, type Stores } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import { type Fault, plantFaults, type Replacement, type Tables } from "./Fault.ts"

type Faulty = Replacement<RetentionStore["Service"]>

/** The same jobs, at whatever revision they are by now. */
export const atStoredRevision = <Job extends JobRevision>(
  { jobs }: Pick<Tables, "jobs">,
  given: ReadonlyArray<Job>
): ReadonlyArray<Job> =>
  given.map((each) => ({ ...each, revision: jobs.get(each.id)?.job.revision ?? 0 }))

/** The charges of jobs go with them. */
export const removeCharges: Faulty = ({ remove }, { ledger }) => ({
  remove: (id, given) =>
    Effect.tap(remove(id, given), (gone) =>
      Effect.sync(() => {
        for (const each of gone) ledger.delete(`job:${each}`)
      })
    )
})

const storeFaults = plantFaults(RetentionStore, {
  "finds ended jobs by what they hold, the earliest end first": {
    "finds jobs that ended a moment too late": ({ ended }) => ({
      ended: (query) => ended({ ...query, until: DateTime.add(query.until, { milliseconds: 1 }) })
    })
  },
  "goes on behind a place, page by page": {
    "begins each page at the first job": ({ ended }) => ({
      ended: (query) => ended({ ...query, after: Option.none() })
    })
  },
  "finds jobs that may have ended without a note, until their end is noted": {
    "never looks for ends that are not noted": () => ({ unnoted: () => Effect.succeed([]) })
  },
  "removes jobs with all that they have but their charges, and no others": {
    "removes the charges too": removeCharges
  },
  "lets either a removal or a commit of the same revision win": {
    "looks at a revision long before it removes its job": ({ remove }, { jobs }) => ({
      remove: (id, given) =>
        Effect.gen(function* () {
          const right = given.filter((each) => jobs.get(each.id)?.job.revision === each.revision)
          for (let turn = 0; turn < 8; turn += 1) yield* Effect.yieldNow
          return yield* remove(id, atStoredRevision({ jobs }, right))
        })
    })
  },
  "ends the lease of a job that it removes": {
    "leaves the work of a job that it removes": ({ remove }, { work }) => ({
      remove: (id, given) =>
        Effect.suspend(() => {
          const before = new Map(work)
          return Effect.tap(remove(id, given), () =>
            Effect.sync(() => {
              for (const [key, row] of before) work.set(key, row)
            })
          )
        })
    })
  },
  "gives the turn to one of many, until it passes it on or falls silent": {
    "gives the turn to everybody": () => ({ takeTurn: () => Effect.succeed(true) })
  },
  "tells what is over, by what jobs hold, and changes nothing": {
    "counts the files of jobs that go as a whole": ({ overdue }) => ({
      overdue: (query, cutoffs) =>
        Effect.map(overdue(query, cutoffs), (found) => ({ ...found, media: found.media + 1 }))
    })
  },
  "counts jobs without a noted end, up to a number": {
    "forgets to count what is not noted": () => ({ unnotedCount: () => Effect.succeed(0) })
  },
  "tells what is over page by page": {
    "counts the first page again and again": ({ overdue }) => ({
      overdue: (query, cutoffs) => overdue({ ...query, after: Option.none() }, cutoffs)
    })
  }
})

const commitFaults = plantFaults(JobStore, {
  "notes the end of a job with the commit that ends it, and takes it back when it runs again": {
    "takes a job for ended when its transcription has": ({ commit }, { jobs }) => ({
      commit: (change) =>
        Effect.map(commit(change), () => {
          const row = jobs.get(change.next.id)
          if (row === undefined || !("endedAt" in row.job.transcription)) return
          const endedAt = Option.some(row.job.transcription.endedAt)
          jobs.set(change.next.id, { ...row, end: { ...row.end, endedAt } })
        })
    })
  }
})

export const retentionStoreFaults: ReadonlyArray<Fault<Stores>> = [...storeFaults, ...commitFaults]
