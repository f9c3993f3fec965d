/** Stores that let too many jobs be unfinished, or too few. */
import { JobStore, JobStoreError, type Stores } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { type Fault, replacing } from "./Fault.ts"

const full = new JobStoreError({ operation: "insert", reason: { _tag: "Full", of: "workspace" } })

const max = (most: number | null | undefined): number => most ?? Number.POSITIVE_INFINITY

export const roomFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "counts, then lets others insert before it does",
    foundBy: "lets no more jobs be unfinished than may be, of many inserted at once, and no fewer",
    layer: replacing(JobStore, ({ insert }, { work }) => ({
      insert: ({ unfinishedMax, ...creation }) =>
        Effect.gen(function* () {
          const isFull = work.size >= max(unfinishedMax?.workspace)
          yield* Effect.yieldNow
          return yield* isFull ? full : insert(creation)
        })
    }))
  },
  {
    fault: "counts jobs that have ended",
    foundBy: "has room again when a job has ended, whatever has ended before",
    layer: replacing(JobStore, ({ insert }, { jobs }) => ({
      insert: (creation) =>
        Effect.suspend((): ReturnType<typeof insert> => {
          const isFull = jobs.size >= max(creation.unfinishedMax?.workspace)
          return isFull ? full : insert(creation)
        })
    }))
  },
  {
    fault: "counts the jobs of all workspaces",
    foundBy: "answers each of many inserts at once by its own limit",
    layer: replacing(JobStore, ({ insert }, { work }) => ({
      insert: (creation) =>
        Effect.suspend((): ReturnType<typeof insert> => {
          const isFull = work.size >= max(creation.unfinishedMax?.workspace)
          return isFull ? full : insert(creation)
        })
    }))
  },
  {
    fault: "keeps room for repeats that need none",
    foundBy: "gives the room of a repeat to whoever comes behind it",
    layer: replacing(JobStore, ({ insert }, { work }) => {
      let arriving = 0
      return {
        insert: (creation) =>
          Effect.gen(function* () {
            arriving += 1
            const isFull = work.size + arriving > max(creation.unfinishedMax?.workspace)
            yield* Effect.yieldNow
            arriving -= 1
            const { unfinishedMax: _, ...unlimited } = creation
            return yield* isFull && work.size > 0 ? full : insert(unlimited)
          })
      }
    })
  },
  {
    fault: "refuses a repeat where there is no room",
    foundBy: "answers a repeat as ever where there is no room",
    layer: replacing(JobStore, ({ insert }, { work }) => ({
      insert: (creation) =>
        Effect.suspend((): ReturnType<typeof insert> => {
          const isFull = work.size >= max(creation.unfinishedMax?.workspace)
          return isFull ? full : insert(creation)
        })
    }))
  },
  {
    fault: "takes the key of a job that there is no room for",
    foundBy: "writes nothing of a job that there is no room for",
    layer: replacing(JobStore, ({ insert }, { idempotency }) => ({
      insert: (creation) =>
        Effect.tapError(insert(creation), () =>
          Effect.sync(() => {
            const record = Option.getOrUndefined(creation.idempotency)
            if (record) idempotency.set(`${creation.job.workspaceId}/${record.key}`, record)
          })
        )
    }))
  },
  {
    fault: "counts on beyond what is asked for",
    foundBy: "counts the jobs that owe work, of a workspace or of a key, up to a number",
    layer: replacing(JobStore, ({ unfinished }) => ({
      unfinished: (query) => unfinished({ ...query, countMax: 1_000 })
    }))
  }
]
