/** A job's pending work: its kind, due time, lane and workspace. */
import { Schema } from "effect"
import { ApiKeyId } from "../workspace/ApiKey.ts"
import { WorkspaceId } from "../workspace/Workspace.ts"

/** All tasks of a job, in the order in which they run. `Notify` calls the host. */
export const Task = Schema.Literals(["Fetch", "Transcribe", "Summarize", "Deliver", "Notify"])
export type Task = typeof Task.Type

/** The services that tasks depend on, except the work queue. */
export const Dependency = Schema.Literals(["MediaStore", "SpeechEngine", "Summarizer", "Database"])
export type Dependency = typeof Dependency.Type

/** Names of the dependencies, as used in messages and on the wire. */
export const dependencyNames = {
  MediaStore: "media store",
  SpeechEngine: "speech engine",
  Summarizer: "summarizer",
  Database: "database"
} as const satisfies Record<Dependency, string>

/**
 * Whether a task notifies an external party. The notification may be sent as soon as an attempt
 * begins, so a lost attempt always counts.
 */
export const isNotification = (task: Task): task is "Deliver" | "Notify" =>
  task === "Deliver" || task === "Notify"

/**
 * Every kind of work. `Isolate` is a task, other than a webhook or a notice, that was running when
 * its process died. A worker that takes isolated work runs no other work at the same time.
 */
export const WorkKind = Schema.Literals([...Task.literals, "Isolate"])
export type WorkKind = typeof WorkKind.Type

/**
 * Returns the task for a kind of work; undefined for isolated work, which can be any of several
 * tasks.
 */
export const taskOf = (kind: WorkKind): Task | undefined => (kind === "Isolate" ? undefined : kind)

/** Creates a record with one entry for each kind of work. */
export const recordOfKinds = <A>(of: (kind: WorkKind) => A): Readonly<Record<WorkKind, A>> => ({
  Fetch: of("Fetch"),
  Transcribe: of("Transcribe"),
  Summarize: of("Summarize"),
  Deliver: of("Deliver"),
  Notify: of("Notify"),
  Isolate: of("Isolate")
})

/** Pending work of a job. A job has at most one pending task. */
export const Work = Schema.Struct({
  kind: WorkKind,
  /** The earliest time at which the work can begin. */
  dueAt: Schema.DateTimeUtcFromMillis,
  workspaceId: WorkspaceId,
  /** The key that submitted the job, if any. */
  keyId: Schema.optionalKey(ApiKeyId),
  /**
   * The lane, named after the origin of the download or webhook; null if there is none. All work in
   * a lane shares a limit.
   */
  lane: Schema.NullOr(Schema.String)
})
export type Work = typeof Work.Type

/**
 * Maximum number of pending tasks that are counted per kind, because counting more would be slow.
 * The tasks that are due first are counted.
 */
export const pendingMax = 10_000
