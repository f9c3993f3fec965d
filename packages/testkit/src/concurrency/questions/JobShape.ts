/**
 * Jobs to be: each shape stands for one way in which a job can begin, so that a number and a shape
 * say everything about it.
 */
import type { Job } from "@verbatim/core/job"
import { makeFullJob, makeOwingJob, makeUploadJob } from "../../samples/SampleJob.ts"
import { instant } from "../../samples/SampleWorkspace.ts"

const shapes = {
  /** An upload, and nothing but its transcript. */
  upload: makeUploadJob,
  /** Media behind a URL, a summary and a webhook. */
  demanding: makeFullJob,
  /** Transcribed already, and a summary is wanted. */
  summary: (number: number) => makeOwingJob(number, { kind: "Summarize", dueAt: instant }),
  /** All done except the webhook. */
  webhook: (number: number) => makeOwingJob(number, { kind: "Deliver", dueAt: instant }),
  /** All done except the notice of the end. */
  notice: (number: number) => makeOwingJob(number, { kind: "Notify", dueAt: instant })
} as const satisfies Record<string, (number: number) => Job>

/** The shape of a job to be. */
export type JobShape = keyof typeof shapes

/** Every shape. */
export const jobShapes: ReadonlyArray<JobShape> = [
  "upload",
  "demanding",
  "summary",
  "webhook",
  "notice"
]

/** The job of that number and shape, as it is born. */
export const jobFrom = (number: number, shape: JobShape): Job => shapes[shape](number)
