/**
 * Port: the host's own function that is called when a job has ended. A process need not have one:
 * it leaves the calls to processes that do.
 */

import { Context, type Effect, Schema } from "effect"
import type { Job } from "../domain/job/Job.ts"
import type { NoticeId } from "../domain/notice/Notice.ts"
import { refusal } from "../domain/schema/Refusal.ts"

/** The listener did not take the notice. Whatever else goes wrong in it counts alike. */
export class JobListenerError extends refusal<JobListenerError>()("JobListenerError", {
  fields: {
    /** For the log and the history of the operator. Callers never see it. */
    detail: Schema.String
  },
  sentence: ({ detail }) => `The listener failed: ${detail}`
}) {}

/** One call. */
export interface JobCall {
  /** The same in all calls of one notice: whoever sees it again has seen the call before. */
  readonly id: NoticeId
  /** The job as it was when this attempt began. Its results are read by its id. */
  readonly job: Job
  /** The first is 1, the last 3. */
  readonly attempt: number
}

export class JobListener extends Context.Service<
  JobListener,
  {
    /**
     * Takes notice of a job whose transcript, summary and webhook have ended, well or not. It has
     * 30 seconds, then it is interrupted, and two seconds later nobody waits for it any more. When
     * it fails, dies or is interrupted, or its process ends, it is called again 60 seconds later,
     * or 90 seconds after the begin of a call that was lost, three times in all. It may be called
     * again although it returned, when that could not be written.
     */
    readonly finished: (call: JobCall) => Effect.Effect<void, JobListenerError>
  }
>()("@verbatim/core/ports/JobListener") {}
