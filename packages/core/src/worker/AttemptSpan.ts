/**
 * The span of an attempt. It goes on with the trace of the request that submitted the job, in
 * whichever process and however much later that is.
 */
import { Effect, Option } from "effect"
import type { Failure } from "../domain/attempt/Failure.ts"
import type { AttemptUnderway } from "../domain/job/Current.ts"
import { type Job, owedWork } from "../domain/job/Job.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import { traceLater } from "../ports/Trace.ts"
import type { Ending } from "./AttemptEnd.ts"

/** Makes an attempt in its span, which has failed where the attempt has. */
export const traceAttempt = (job: Job, attempt: Effect.Effect<Ending>): Effect.Effect<Ending> => {
  const kind = Option.match(owedWork(job), {
    onNone: () => "Nothing",
    onSome: (work) => work.kind
  })
  return attempt.pipe(
    Effect.flatMap((ending) =>
      ending._tag === "Failed" ? Effect.fail(ending) : Effect.succeed(ending)
    ),
    traceLater({
      name: kind,
      traceParent: job.traceParent,
      attributes: {
        "verbatim.job.id": job.id,
        "verbatim.job.kind": kind,
        "verbatim.workspace.id": job.workspaceId
      }
    }),
    Effect.catch(Effect.succeed)
  )
}

/** Notes in the span what has begun. */
export const noteStart = ({ attempt, task }: AttemptUnderway): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    // An isolated attempt is of another task.
    "verbatim.job.task": task,
    "verbatim.job.attempt": attempt
  })

/** Notes in the span what came of it. */
export const noteEnd = (
  events: ReadonlyArray<JobEvent>,
  failure: Failure | undefined
): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "verbatim.job.events": events.map(({ event }) => event._tag),
    ...(failure === undefined ? {} : { "error.type": failure._tag })
  })
