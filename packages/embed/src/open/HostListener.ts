/** A host's own `finished`, as the worker calls it. */
import { JobListener, JobListenerError } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import type { Finished } from "../Options.ts"
import { toJob } from "../view/Job.ts"
import { detailOf } from "./Detail.ts"
import { makeOwners } from "./Workspaces.ts"

/** Tells the function of jobs that are over. What it rejects with is kept in the history. */
export const layer = (finished: Finished) =>
  Layer.effect(
    JobListener,
    Effect.gen(function* () {
      const owners = yield* makeOwners(0)
      return JobListener.of({
        finished: Effect.fnUntraced(function* ({ attempt, id, job }) {
          const shown = toJob(job, yield* owners.ownerOf(job.workspaceId))
          yield* Effect.tryPromise({
            // What throws at once is no different from what rejects.
            try: async (signal) => finished(shown, { id, attempt, signal }),
            catch: (fault) => new JobListenerError({ detail: detailOf(fault) })
          })
        })
      })
    })
  )
