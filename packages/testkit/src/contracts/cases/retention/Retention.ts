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
