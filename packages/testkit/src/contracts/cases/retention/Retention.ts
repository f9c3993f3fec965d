/** What the cases of a `RetentionStore` share. */
import { type Job, notedEnd } from "@verbatim/core/job"
import {
  type JobStore,
  RetentionStore,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"

/** The ports that the cases ask. */
export type Ports = JobStore | RetentionStore | WorkQueue | WorkspaceStore

/** The store under test. */
export const retention = RetentionStore.useSync((store) => store)

/** A note of the end of a job, as it has to be. */
export const noteOf = (job: Job) => ({ id: job.id, revision: job.revision, ...notedEnd(job) })
