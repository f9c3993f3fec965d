/**
 * Port: the host's own functions that are called when a job has its transcript, and when it is
 * over. A process need not have one, or has one of them: the calls that it cannot make it leaves to
 * processes that can.
 */
import { Context, type Effect, Schema } from "effect"
import type { Job } from "../domain/job/Job.ts"
import type { NoticeId } from "../domain/notice/Notice.ts"

/** The listener did not take the notice. Whatever else goes wrong in it counts alike. */
export class JobListenerError extends Schema.TaggedError<JobListenerError>()("JobListenerError", {
  /** For the log and the history of the operator. Callers never see it. */
  detail: Schema.String
}) {
  override get message(): string {
    return `The listener failed: ${this.detail}`
  }
}

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
     * Takes notice of a transcript that is stored. Summary and webhook follow: they wait for the
     * first call, and for none that follows one that failed. Never called for a job that failed.
     * Otherwise like `finished`.
     */
    readonly transcribed?: (call: JobCall) => Effect.Effect<void, JobListenerError>
    /**
     * Takes notice of a job whose transcript, summary, webhook and notice of the transcript are
     * over, well or not. It has 30 seconds, then it is interrupted, and two seconds later nobody
     * waits for it any more. When it fails, dies or is interrupted, or its process ends, it is
     * called again 60 seconds later, or 90 seconds after the begin of a call that was lost, three
     * times in all. It may be called again although it returned, when that could not be written.
     */
    readonly finished?: (call: JobCall) => Effect.Effect<void, JobListenerError>
  }
>()("@verbatim/core/ports/JobListener") {}
