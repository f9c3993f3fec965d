/** What the cases of a `RetentionStore` share. */
import { type Job, notedEnd } from "@verbatim/core/job"
import type { JobStore, RetentionStore, WorkQueue, WorkspaceStore } from "@verbatim/core/ports"

/** The ports that the cases ask. */
export type Ports = JobStore | RetentionStore | WorkQueue | WorkspaceStore

/** A note of the end of a job, as it has to be. */
export const noteOf = (job: Job) => ({ id: job.id, revision: job.revision, ...notedEnd(job) })
