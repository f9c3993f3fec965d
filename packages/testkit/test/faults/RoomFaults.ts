/** Stores that let too many jobs be unfinished, or too few. */
import { JobStore, JobStoreError } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { doAfterRefusal, plantFaults, type Replacement } from "./Fault.ts"

const full = new JobStoreError({ operation: "insert", reason: { _tag: "Full", of: "workspace" } })

const max = (most: number | null | undefined): number => most ?? Number.POSITIVE_INFINITY

/** A store that looks at the number of rows in a table, whoever and whatever inserts. */
const countRows =
  (table: "jobs" | "work"): Replacement<JobStore["Service"]> =>
  ({ insert }, tables) => ({
    insert: (creation) =>
      Effect.suspend((): ReturnType<typeof insert> => {
        const isFull = tables[table].size >= max(creation.unfinishedMax?.workspace)
        return isFull ? full : insert(creation)
      })
  })

export const roomFaults = plantFaults(JobStore, {
  "lets no more jobs be unfinished than may be, of many inserted at once, and no fewer": {
    "counts, then lets others insert before it does": ({ insert }, { work }) => ({
      insert: ({ unfinishedMax, ...creation }) =>
        Effect.gen(function* () {
          const isFull = work.size >= max(unfinishedMax?.workspace)
          yield* Effect.yieldNow
          return yield* isFull ? full : insert(creation)
        })
    })
  },
  "has room again when a job has ended, whatever has ended before": {
    "counts jobs that have ended": countRows("jobs")
  },
  "answers each of many inserts at once by its own limit": {
    "counts the jobs of all workspaces": countRows("work")
  },
  "answers a repeat as ever where there is no room": {
    "refuses a repeat where there is no room": countRows("work")
  },
  "writes nothing of a job that there is no room for": {
    "takes the key of a job that there is no room for": ({ insert }, { idempotency }) => ({
      insert: doAfterRefusal(insert, ({ idempotency: given, job }) => {
        const record = Option.getOrUndefined(given)
        if (record) idempotency.set(`${job.workspaceId}/${record.key}`, record)
      })
    })
  },
  "counts the jobs that owe work, of a workspace or of a key, up to a number": {
    "counts on beyond what is asked for": ({ unfinished }) => ({
      unfinished: (query) => unfinished({ ...query, countMax: 1_000 })
    })
  }
})
