/** A host's own adapter: it remembers jobs, so that most reads need no database. */
import type { Job } from "@verbatim/core/job/Job"
import type { JobId } from "@verbatim/core/job/JobId"
import { JobStore } from "@verbatim/core/ports/JobStore"
import { Effect, Layer, Option } from "effect"

/** Before any other store. `mayKeep` says which jobs are remembered. */
export const layer = (mayKeep: (job: Job) => boolean): Layer.Layer<JobStore, never, JobStore> =>
  Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) => {
      const kept = new Map<JobId, Job>()
      return JobStore.of({
        ...store,
        find: (workspaceId, id) =>
          Effect.suspend(() => {
            const job = kept.get(id)
            if (job?.workspaceId === workspaceId) return Effect.succeed(Option.some(job))
            return Effect.tap(store.find(workspaceId, id), (found) =>
              Effect.sync(() => {
                if (Option.isSome(found) && mayKeep(found.value)) kept.set(id, found.value)
              })
            )
          }),
        commit: (change) =>
          Effect.ensuring(
            store.commit(change),
            Effect.sync(() => kept.delete(change.next.id))
          )
      })
    })
  )
