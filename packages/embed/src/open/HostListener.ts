/** A host's own `onFinished`, as the worker calls it. */
import { toDetailedView } from "@verbatim/core/job"
import { type JobCall, JobListener, JobListenerError } from "@verbatim/core/ports"
import { Workspaces } from "@verbatim/core/services"
import { Effect, Layer, Option } from "effect"
import type { Job, OnFinished } from "../Options.ts"
import { detailOf } from "./HostLog.ts"

/** Calls the host's function. What it rejects with is kept in the history. */
export const layer = (onFinished: OnFinished) =>
  Layer.effect(
    JobListener,
    Effect.map(Workspaces, (workspaces) => {
      const finished = Effect.fnUntraced(
        function* ({ attempt, id, job }: JobCall) {
          const { workspaceId } = job
          const { balanceMillis, workspace } = yield* workspaces.account(workspaceId)
          const shown = toDetailedView(job, {
            balanceMillis,
            transcript: Option.none(),
            audience: "management"
          })
          const owner = { id: workspaceId, name: workspace.externalId }
          yield* Effect.tryPromise({
            // A function that throws at once is no different from one that rejects.
            try: async (signal) =>
              onFinished(shown as Job, { id, attempt, workspace: owner, signal }),
            catch: (fault) => fault
          })
        },
        Effect.mapError((fault) => new JobListenerError({ detail: detailOf(fault) }))
      )
      return JobListener.of({ finished })
    })
  )
