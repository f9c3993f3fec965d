/**
 * Port: the host's function that is called when a job has ended. A process without a listener
 * leaves the calls to processes that have one.
 */

import { Context, type Effect, Schema } from "effect"
import type { Job } from "../domain/job/Job.ts"
import type { NoticeId } from "../domain/notice/Notice.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/**
 * The listener did not accept the notice. Any other failure of the listener has the same effect.
 */
export class JobListenerError extends refusal<JobListenerError>()("JobListenerError", {
  fields: {
    /** The reason, for the log and the operator's view of the history; never shown to callers. */
    detail: Schema.String
  },
  sentence: ({ detail }) => `The listener failed: ${detail}`
}) {}

/** One call to the listener. */
export interface JobCall {
  /** The id of the notice: the same in all calls, so that a host can recognise a retry. */
  readonly id: NoticeId
  /** The job as of the start of this attempt. Its id gives access to the results. */
  readonly job: Job
  /** The number of the call: the first is 1, the last is 3. */
  readonly attempt: number
}

export class JobListener extends Context.Service<
  JobListener,
  {
    /**
     * Called when a job's transcript, summary and webhook have all ended, successfully or not. The
     * call is interrupted after 30 seconds, and abandoned two seconds later. If the call fails,
     * crashes or is interrupted, the listener is called again 60 seconds later. If the process ends
     * during a call, the listener is called again 90 seconds after that call began. There are at
     * most three calls. Even a successful call may be repeated, if its outcome could not be stored.
     */
    readonly finished: (call: JobCall) => Effect.Effect<void, JobListenerError>
  }
>()("@verbatim/core/ports/JobListener") {}
