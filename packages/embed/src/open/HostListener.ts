/** A host's own `onTranscribed` and `onFinished`, as the worker calls them. */
import { toDetailedView } from "@verbatim/core/job"
import { type JobCall, JobListener, JobListenerError } from "@verbatim/core/ports"
import { Workspaces } from "@verbatim/core/services"
import { Effect, Layer, Option } from "effect"
import type { Job, OnFinished, OnTranscribed } from "../Options.ts"
import { detailOf } from "./HostLog.ts"

/** The functions that a host has given. */
interface Hooks {
  readonly onTranscribed: OnTranscribed | undefined
  readonly onFinished: OnFinished | undefined
}

/** Calls those functions that there are. What they reject with is kept in the history. */
export const layer = ({ onFinished, onTranscribed }: Hooks) =>
  Layer.effect(
    JobListener,
    Effect.map(Workspaces, (workspaces) => {
      const calling = (hook: OnFinished | OnTranscribed) =>
        Effect.fnUntraced(
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
              // What throws at once is no different from what rejects.
              try: async (signal) => hook(shown as Job, { id, attempt, workspace: owner, signal }),
              catch: (fault) => fault
            })
          },
          Effect.mapError((fault) => new JobListenerError({ detail: detailOf(fault) }))
        )
      return JobListener.of({
        ...(onTranscribed === undefined ? {} : { transcribed: calling(onTranscribed) }),
        ...(onFinished === undefined ? {} : { finished: calling(onFinished) })
      })
    })
  )
