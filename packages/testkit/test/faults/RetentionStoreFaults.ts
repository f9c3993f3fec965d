/** Stores that find or remove the wrong old jobs. */
import { JobStore, RetentionStore, type Stores } from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Option } from "effect"
import { type Fault, replacing } from "./Fault.ts"

const finds = "finds ended jobs by what they hold, the earliest end first"
const goesOn = "goes on behind a place, page by page"
const notes =
  "notes the end of a job with the commit that ends it, and takes it back when it runs again"
const unnotedCase = "finds jobs that may have ended without a note, until their end is noted"
const removes = "removes jobs with all that they have but their charges, and no others"
const races = "lets either a removal or a commit of the same revision win"
const leases = "ends the lease of a job that it removes"
const turns = "gives the turn to one of many, until it passes it on or falls silent"
const previews = "tells what is over, by what jobs hold, and changes nothing"
const previewPages = "tells what is over page by page"
const counts = "counts jobs without a noted end, up to a number"

export const retentionStoreFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "finds jobs in the order of their ids",
    foundBy: finds,
    layer: replacing(RetentionStore, ({ ended }) => ({
      ended: (query) =>
        Effect.map(ended(query), (found) => [...found].sort((a, b) => (a.id < b.id ? -1 : 1)))
    }))
  },
  {
    fault: "finds jobs that ended a moment too late",
    foundBy: finds,
    layer: replacing(RetentionStore, ({ ended }) => ({
      ended: (query) => ended({ ...query, until: DateTime.add(query.until, { milliseconds: 1 }) })
    }))
  },
  {
    fault: "finds jobs whatever they hold",
    foundBy: finds,
    layer: replacing(RetentionStore, ({ ended }) => ({
      ended: (query) => ended({ ...query, holding: "Transcript" })
    }))
  },
  {
    fault: "begins each page at the first job",
    foundBy: goesOn,
    layer: replacing(RetentionStore, ({ ended }) => ({
      ended: (query) => ended({ ...query, after: Option.none() })
    }))
  },
  {
    fault: "skips jobs that ended at the same instant as the last of a page",
    foundBy: goesOn,
    layer: replacing(RetentionStore, ({ ended }) => ({
      ended: (query) =>
        Effect.map(ended(query), (found) =>
          found.filter(
            ({ at }) =>
              Option.isNone(query.after) || DateTime.isGreaterThan(at, query.after.value.at)
          )
        )
    }))
  },
  {
    fault: "takes a job for ended when its transcription has",
    foundBy: notes,
    layer: replacing(JobStore, ({ commit }, { jobs }) => ({
      commit: (change) =>
        Effect.map(commit(change), () => {
          const row = jobs.get(change.next.id)
          if (row === undefined || !("endedAt" in row.job.transcription)) return
          const endedAt = Option.some(row.job.transcription.endedAt)
          jobs.set(change.next.id, { ...row, end: { ...row.end, endedAt } })
        })
    }))
  },
  {
    fault: "never looks for ends that are not noted",
    foundBy: unnotedCase,
    layer: replacing(RetentionStore, () => ({ unnoted: () => Effect.succeed([]) }))
  },
  {
    fault: "notes the end of whatever revision there is",
    foundBy: unnotedCase,
    layer: replacing(RetentionStore, ({ note }, { jobs }) => ({
      note: (given) =>
        note(given.map((each) => ({ ...each, revision: jobs.get(each.id)?.job.revision ?? 0 })))
    }))
  },
  {
    fault: "removes a job that has moved on",
    foundBy: removes,
    layer: replacing(RetentionStore, ({ remove }, { jobs }) => ({
      remove: (id, given) =>
        remove(
          id,
          given.map((each) => ({ ...each, revision: jobs.get(each.id)?.job.revision ?? 0 }))
        )
    }))
  },
  {
    fault: "removes the jobs of others",
    foundBy: removes,
    layer: replacing(RetentionStore, ({ remove }, { jobs }) => ({
      remove: (id, given) => {
        const [first] = given
        const owner = first === undefined ? undefined : jobs.get(first.id)?.job.workspaceId
        return remove(owner ?? id, given)
      }
    }))
  },
  {
    fault: "removes the charges too",
    foundBy: removes,
    layer: replacing(RetentionStore, ({ remove }, { ledger }) => ({
      remove: (id, given) =>
        Effect.tap(remove(id, given), (gone) =>
          Effect.sync(() => {
            for (const each of gone) ledger.delete(`job:${each}`)
          })
        )
    }))
  },
  {
    fault: "looks at a revision long before it removes its job",
    foundBy: races,
    layer: replacing(RetentionStore, ({ remove }, { jobs }) => ({
      remove: (id, given) =>
        Effect.gen(function* () {
          const right = given.filter((each) => jobs.get(each.id)?.job.revision === each.revision)
          for (let turn = 0; turn < 8; turn += 1) yield* Effect.yieldNow
          return yield* remove(
            id,
            right.map((each) => ({ ...each, revision: jobs.get(each.id)?.job.revision ?? 0 }))
          )
        })
    }))
  },
  {
    fault: "leaves the work of a job that it removes",
    foundBy: leases,
    layer: replacing(RetentionStore, ({ remove }, { work }) => ({
      remove: (id, given) =>
        Effect.suspend(() => {
          const before = new Map(work)
          return Effect.tap(remove(id, given), () =>
            Effect.sync(() => {
              for (const [key, row] of before) work.set(key, row)
            })
          )
        })
    }))
  },
  {
    fault: "gives the turn to everybody",
    foundBy: turns,
    layer: replacing(RetentionStore, () => ({ takeTurn: () => Effect.succeed(true) }))
  },
  {
    fault: "lets anybody pass the turn on",
    foundBy: turns,
    layer: replacing(RetentionStore, ({ passTurn }, { retentionTurn }) => ({
      passTurn: (turn) =>
        passTurn({ ...turn, holder: retentionTurn.get("turn")?.holder ?? turn.holder })
    }))
  },
  {
    fault: "never takes the turn from one that fell silent",
    foundBy: turns,
    layer: replacing(RetentionStore, ({ takeTurn }) => ({
      takeTurn: (turn) => takeTurn({ ...turn, hold: Duration.days(365) })
    }))
  },
  {
    fault: "counts the files of jobs that go as a whole",
    foundBy: previews,
    layer: replacing(RetentionStore, ({ overdue }) => ({
      overdue: (query, cutoffs) =>
        Effect.map(overdue(query, cutoffs), (found) => ({ ...found, media: found.media + 1 }))
    }))
  },
  {
    fault: "forgets to count what is not noted",
    foundBy: counts,
    layer: replacing(RetentionStore, () => ({ unnotedCount: () => Effect.succeed(0) }))
  },
  {
    fault: "counts all that is not noted, however much there is",
    foundBy: counts,
    layer: replacing(RetentionStore, ({ unnotedCount }) => ({
      unnotedCount: (id) => unnotedCount(id, 1_000)
    }))
  },
  {
    fault: "counts the first page again and again",
    foundBy: previewPages,
    layer: replacing(RetentionStore, ({ overdue }) => ({
      overdue: (query, cutoffs) => overdue({ ...query, after: Option.none() }, cutoffs)
    }))
  }
]
