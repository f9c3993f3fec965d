/**
 * Shapes of new jobs. A shape is one way in which a job can start; a number and a shape together
 * determine the job.
 */
import type { Job } from "@verbatim/core/job"
import { makeFullJob, makePendingJob, makeUploadJob } from "../../samples/SampleJob.ts"
import { instant } from "../../samples/SampleWorkspace.ts"

const shapes = {
  /** An upload that requests only a transcript. */
  upload: makeUploadJob,
  /** Media at a URL, with a requested summary and webhook. */
  demanding: makeFullJob,
  /** A transcribed job with a pending summary. */
  summary: (number: number) => makePendingJob(number, { kind: "Summarize", dueAt: instant }),
  /** A job of which only the webhook is pending. */
  webhook: (number: number) => makePendingJob(number, { kind: "Deliver", dueAt: instant }),
  /** A job of which only the notice is pending. */
  notice: (number: number) => makePendingJob(number, { kind: "Notify", dueAt: instant })
} as const satisfies Record<string, (number: number) => Job>

/** The name of one way in which a job can start. */
export type JobShape = keyof typeof shapes

/** All shapes. */
export const jobShapes: ReadonlyArray<JobShape> = [
  "upload",
  "demanding",
  "summary",
  "webhook",
  "notice"
]

/** Makes the new job with the given number and shape. */
export const jobFrom = (number: number, shape: JobShape): Job => shapes[shape](number)
