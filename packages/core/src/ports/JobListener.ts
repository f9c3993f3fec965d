/**
 * Port: the host's function that is called when a job has ended. A process without one leaves the
 * calls to processes that have one.
 */

import { Context, type Effect, Schema } from "effect"
import type { Job } from "../domain/job/Job.ts"
import type { NoticeId } from "../domain/notice/Notice.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/** The listener did not accept the notice. Any other failure of the listener counts the same. */
export class JobListenerError extends refusal<JobListenerError>()("JobListenerError", {
  fields: {
    /** For the log and the operator's view of the history, never for callers. */
    detail: Schema.String
  },
  sentence: ({ detail }) => `The listener failed: ${detail}`
}) {}

/** One call of the listener. */
export interface JobCall {
  /** The same in all calls of one notice, so that a host can recognise a repeated call. */
  readonly id: NoticeId
  /** The job as of the start of this attempt. Its results are read by its id. */
  readonly job: Job
  /** The first is 1, the last 3. */
  readonly attempt: number
}

export class JobListener extends Context.Service<
  JobListener,
  {
    /**
     * Called when transcript, summary and webhook of a job have ended, successfully or not. The
     * call is interrupted after 30 seconds, and abandoned two seconds later. When it fails, dies or
     * is interrupted, or its process ends, it is called again 60 seconds later, or 90 seconds after
     * the start of a call that was lost, three times in all. It may be called again although it
     * returned, if that could not be written.
     */
    readonly finished: (call: JobCall) => Effect.Effect<void, JobListenerError>
  }
>()("@verbatim/core/ports/JobListener") {}
