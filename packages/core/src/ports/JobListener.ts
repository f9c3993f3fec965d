/**
 * Port: a function of the host that is called when a job has ended. A process without a listener
 * leaves the calls to processes that have one.
 */

import { Context, type Effect, Schema } from "effect"
import type { Job } from "../domain/job/Job.ts"
import type { NoticeId } from "../domain/notice/Notice.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/**
 * The listener did not accept the notice. Every other failure of the listener has the same effect.
 */
export class JobListenerError extends refusal<JobListenerError>()("JobListenerError", {
  fields: {
    /** The reason, for the log and the operator's view of the history. Callers never see it. */
    detail: Schema.String
  },
  sentence: ({ detail }) => `The listener failed: ${detail}`
}) {}

/** A call to the listener. */
export interface JobCall {
  /**
   * The id of the notice, which is the same in all its calls, so that a host can recognise a retry.
   */
  readonly id: NoticeId
  /** The job at the start of this attempt. Its id gives access to the results. */
  readonly job: Job
  /** The number of the call, from 1 to 3. */
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
