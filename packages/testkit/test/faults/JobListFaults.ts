/** Job stores that list, delete or recognise wrongly. */
import { legacyStatus } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { plantFaults } from "./Fault.ts"

export const jobListFaults = plantFaults(JobStore, {
  "lists the jobs of one workspace, the greatest id first": {
    "lists the oldest job first": ({ list }) => ({
      list: (query) => Effect.map(list(query), (jobs) => jobs.toReversed())
    }),
    "lists jobs of every workspace": (_, { jobs }) => ({
      list: ({ limit }) =>
        Effect.sync(() => {
          const all = [...jobs.values()].map(({ job }) => job)
          return all.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
        })
    })
  },
  "lists page after page without gaps or repeats, whatever comes or goes meanwhile": {
    "begins a page with the job that the last one ended with": ({ list }, { jobs }) => ({
      list: (query) =>
        Effect.map(list(query), (found) => {
          const last = Option.flatMapNullishOr(query.after, (id) => jobs.get(id)?.job)
          return [...Option.toArray(last), ...found].slice(0, query.limit)
        })
    }),
    "ends when the job that a page begins behind is gone": ({ list }, { jobs }) => ({
      list: (query) =>
        Option.exists(query.after, (id) => !jobs.has(id)) ? Effect.succeed([]) : list(query)
    })
  },
  "lists jobs by the status that they have now": {
    "looks for the status among the jobs of one page only": ({ list }) => ({
      list: (query) =>
        Effect.map(list({ ...query, status: Option.none(), limit: 2 }), (jobs) =>
          jobs.filter(
            (job) => Option.isNone(query.status) || legacyStatus(job) === query.status.value
          )
        )
    })
  },
  "tells whether a workspace has any job": {
    "takes the jobs of others for those of a workspace": (_, { jobs }) => ({
      hasAny: () => Effect.sync(() => jobs.size > 0)
    }),
    "remembers a job that is deleted": ({ hasAny }) => {
      const seen = new Set<string>()
      return {
        hasAny: (id) =>
          Effect.map(hasAny(id), (isThere) => {
            if (isThere) seen.add(id)
            return seen.has(id)
          })
      }
    }
  },
  "deletes no job of another workspace": {
    "deletes a job for anybody": ({ remove }, { jobs }) => ({
      remove: (workspaceId, id) => remove(jobs.get(id)?.job.workspaceId ?? workspaceId, id)
    })
  },
  "takes the work of a deleted job from whoever holds it": {
    "leaves the work of a deleted job": ({ remove }, { work }) => ({
      remove: (workspaceId, id) => {
        const row = work.get(id)
        return Effect.tap(remove(workspaceId, id), () =>
          Effect.sync(() => row !== undefined && work.set(id, row))
        )
      }
    })
  },
  "deletes a job with all that belongs to it, but its charge": {
    "gives back what a deleted job cost": ({ remove }, { ledger }) => ({
      remove: (workspaceId, id) => {
        ledger.delete(`job:${id}`)
        return remove(workspaceId, id)
      }
    })
  },
  "remembers the key of a job, and makes no second job under it": {
    "makes a job before it looks for its key": ({ insert }) => ({
      insert: (creation) =>
        Effect.flatMap(insert({ ...creation, idempotency: Option.none() }), () =>
          Effect.catch(insert(creation), () => Effect.succeedNone)
        )
    })
  },
  "makes one job of many requests at once under one key": {
    "looks for the key before others write": ({ idempotency, insert }, tables) => ({
      insert: (creation) =>
        Effect.gen(function* () {
          const { job } = creation
          if (Option.isNone(creation.idempotency)) return yield* insert(creation)
          const record = creation.idempotency.value
          const found = yield* idempotency(job.workspaceId, record.key)
          yield* Effect.yieldNow
          if (Option.isSome(found)) return found
          tables.idempotency.set(`${job.workspaceId}/${record.key}`, record)
          return yield* insert({ ...creation, idempotency: Option.none() })
        })
    })
  },
  "keeps a key when its job is deleted, and none of a job that was refused": {
    "forgets the key with the job": ({ remove }, { idempotency }) => ({
      remove: (workspaceId, id) => {
        for (const [key, { jobId }] of idempotency) if (jobId === id) idempotency.delete(key)
        return remove(workspaceId, id)
      }
    })
  },
  "keeps keys apart by their spelling and their workspace": {
    "takes keys for equal that differ in case": ({ insert }) => ({
      insert: (creation) =>
        insert({
          ...creation,
          idempotency: Option.map(creation.idempotency, (record) => ({
            ...record,
            key: record.key.toLowerCase() as typeof record.key
          }))
        })
    })
  }
})
