/**
 * What a job owes: the kind of work, from when on, and in which lane of which workspace.
 */
import { Schema } from "effect"
import { ApiKeyId } from "../workspace/ApiKey.ts"
import { WorkspaceId } from "../workspace/Workspace.ts"

/** Every task of a job, in the order in which they become due. `Notify` calls the host. */
export const Task = Schema.Literals(["Fetch", "Transcribe", "Summarize", "Deliver", "Notify"])
export type Task = typeof Task.Type

/** What tasks need, besides a queue that gives them out. */
export const Dependency = Schema.Literals(["MediaStore", "SpeechEngine", "Summarizer", "Database"])
export type Dependency = typeof Dependency.Type

/** What sentences and the wire call them. */
export const dependencyNames = {
  MediaStore: "media store",
  SpeechEngine: "speech engine",
  Summarizer: "summarizer",
  Database: "database"
} as const satisfies Record<Dependency, string>

/**
 * Whether a task tells somebody of the job. A begun attempt may have been noticed, so that it
 * counts, whoever lost it and why.
 */
export const isTelling = (task: Task): task is "Deliver" | "Notify" =>
  task === "Deliver" || task === "Notify"

/**
 * Every kind of work. `Isolate` is a task, other than a webhook or a notice, whose process died
 * with it: a worker that takes it does nothing else at that time.
 */
export const WorkKind = Schema.Literals([...Task.literals, "Isolate"])
export type WorkKind = typeof WorkKind.Type

/** The task that work of a kind is; undefined where only the job says which. */
export const taskOf = (kind: WorkKind): Task | undefined => (kind === "Isolate" ? undefined : kind)

/** Something for each kind of work. */
export const recordOfKinds = <A>(of: (kind: WorkKind) => A): Readonly<Record<WorkKind, A>> => ({
  Fetch: of("Fetch"),
  Transcribe: of("Transcribe"),
  Summarize: of("Summarize"),
  Deliver: of("Deliver"),
  Notify: of("Notify"),
  Isolate: of("Isolate")
})

/** Work that a job owes. A job owes at most one piece at a time. */
export const Work = Schema.Struct({
  kind: WorkKind,
  /** Nobody begins it earlier. */
  dueAt: Schema.DateTimeUtcFromMillis,
  workspaceId: WorkspaceId,
  /** The key that asked for the job, if one did. */
  keyId: Schema.optionalKey(ApiKeyId),
  /**
   * Work of one lane shares a limit: the origin of a download or a webhook; null without a lane.
   */
  lane: Schema.NullOr(Schema.String)
})
export type Work = typeof Work.Type

/** Most pieces of a kind that are counted as owed, the earliest due first: it costs no more. */
export const owedMax = 10_000
