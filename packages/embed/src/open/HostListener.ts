/** A host's own `transcribed` and `finished`, as the worker calls them. */
import { type JobCall, JobListener, JobListenerError } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import type { Finished, Transcribed } from "../Options.ts"
import { toJob } from "../view/Job.ts"
import { detailOf } from "./Detail.ts"
import { makeOwners } from "./Workspaces.ts"

/** The functions that a host has given. */
interface Hooks {
  readonly transcribed: Transcribed | undefined
  readonly finished: Finished | undefined
}

/** Calls those functions that there are. What they reject with is kept in the history. */
export const layer = ({ finished, transcribed }: Hooks) =>
  Layer.effect(
    JobListener,
    Effect.gen(function* () {
      const owners = yield* makeOwners(0)
      const telling = (hook: Finished | Transcribed) =>
        Effect.fnUntraced(function* ({ attempt, id, job }: JobCall) {
          const shown = toJob(job, yield* owners.ownerOf(job.workspaceId))
          yield* Effect.tryPromise({
            // What throws at once is no different from what rejects.
            try: async (signal) => hook(shown, { id, attempt, signal }),
            catch: (fault) => new JobListenerError({ detail: detailOf(fault) })
          })
        })
      return JobListener.of({
        ...(transcribed === undefined ? {} : { transcribed: telling(transcribed) }),
        ...(finished === undefined ? {} : { finished: telling(finished) })
      })
    })
  )
