/** Job stores that list, delete or recognise wrongly. */
import { legacyStatus } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { plantFaults } from "./Fault.ts"

export const jobListFaults = plantFaults(JobStore, {
  "lists the jobs of one workspace, the greatest id first": {
    "lists the oldest job first": ({ list }) => ({
      list: (query) => Effect.map(list(query), (jobs) => jobs.toReversed())
    })
  },
  "lists page after page without gaps or repeats, whatever comes or goes meanwhile": {
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
    })
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
