/**
 * What a job owes: the kind of work, from when on, and in which lane of which workspace.
 */
import { Schema } from "effect"
import { WorkspaceId } from "../workspace/Workspace.ts"

/** Every kind of work, in the order in which a job owes them. */
export const WorkKind = Schema.Literals(["Fetch", "Transcribe", "Summarize", "Deliver"])
export type WorkKind = typeof WorkKind.Type

/** Work that a job owes. A job owes at most one piece at a time. */
export const Work = Schema.Struct({
  kind: WorkKind,
  /** Nobody begins it earlier. */
  dueAt: Schema.DateTimeUtcFromMillis,
  workspaceId: WorkspaceId,
  /** Work of one lane shares a limit: the origin of a download or a webhook, otherwise empty. */
  lane: Schema.String
})
export type Work = typeof Work.Type
