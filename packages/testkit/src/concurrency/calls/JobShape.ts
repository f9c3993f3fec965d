/**
 * Shapes of new jobs: each is one way in which a job can start, so that a number and a shape
 * determine it.
 */
import type { Job } from "@verbatim/core/job"
import { makeFullJob, makePendingJob, makeUploadJob } from "../../samples/SampleJob.ts"
import { instant } from "../../samples/SampleWorkspace.ts"

const shapes = {
  /** An upload with only a transcript. */
  upload: makeUploadJob,
  /** Media behind a URL, a summary and a webhook. */
  demanding: makeFullJob,
  /** Already transcribed, with a pending summary. */
  summary: (number: number) => makePendingJob(number, { kind: "Summarize", dueAt: instant }),
  /** All done except the webhook. */
  webhook: (number: number) => makePendingJob(number, { kind: "Deliver", dueAt: instant }),
  /** All done except the notice. */
  notice: (number: number) => makePendingJob(number, { kind: "Notify", dueAt: instant })
} as const satisfies Record<string, (number: number) => Job>

/** The shape of a new job. */
export type JobShape = keyof typeof shapes

/** All shapes. */
export const jobShapes: ReadonlyArray<JobShape> = [
  "upload",
  "demanding",
  "summary",
  "webhook",
  "notice"
]

/** Makes the new job with that number and shape. */
export const jobFrom = (number: number, shape: JobShape): Job => shapes[shape](number)
