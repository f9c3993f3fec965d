/** Calls the host's `onFinished` for the worker. */
import { toDetailedView } from "@verbatim/core/job"
import { type JobCall, JobListener, JobListenerError } from "@verbatim/core/ports"
import { Workspaces } from "@verbatim/core/services"
import { Effect, Layer, Option } from "effect"
import type { Job, OnFinished } from "../Options.ts"
import { detailOf } from "./HostLog.ts"

/** Calls the host's function, and keeps its error in the history. */
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
            // A function that throws is treated like one that rejects.
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
