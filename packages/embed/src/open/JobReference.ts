/** How a host names a job. */
import type { WorkspaceReference } from "./Workspaces.ts"

/** A job, or what is known of it. */
export interface JobReference {
  readonly id: string
  /** Default: the workspace named `default`. */
  readonly workspace?: WorkspaceReference | undefined
}
