/** A host's own adapter that caches reads, so that most reads need no database. */

import type { JobId } from "@verbatim/core/attempt"
import type { Job } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import type { Transcript } from "@verbatim/core/transcription"
import { Effect, Layer, Option } from "effect"

type Cache = Layer.Layer<JobStore, never, JobStore>

/** Creates a cache in front of any other store. `mayKeep` decides whether a job may be cached. */
export const ofJobs = (mayKeep: (job: Job) => boolean): Cache =>
  Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) => {
      const kept = new Map<JobId, Job>()
      const forget = (id: JobId) => Effect.sync(() => kept.delete(id))
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
        commit: (change) => Effect.ensuring(store.commit(change), forget(change.next.id)),
        remove: (workspaceId, id, statuses) =>
          Effect.ensuring(store.remove(workspaceId, id, statuses), forget(id))
      })
    })
  )

/** Caches transcripts, which never change. A caller finds the job before it reads a transcript. */
export const ofTranscripts: Cache = Layer.effect(
  JobStore,
  Effect.map(JobStore, (store) => {
    const kept = new Map<JobId, Transcript>()
    return JobStore.of({
      ...store,
      transcript: (id) =>
        Effect.suspend(() => {
          const transcript = kept.get(id)
          if (transcript !== undefined) return Effect.succeed(Option.some(transcript))
          return Effect.tap(store.transcript(id), (found) =>
            Effect.sync(() => {
              if (Option.isSome(found)) kept.set(id, found.value)
            })
          )
        }),
      remove: (workspaceId, id, statuses) =>
        Effect.ensuring(
          store.remove(workspaceId, id, statuses),
          Effect.sync(() => kept.delete(id))
        )
    })
  })
)
