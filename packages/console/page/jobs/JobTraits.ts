/** Properties of a job for display: name, time, status, and possible actions. */
import type { components, Options } from "@verbatim/client"
import { shortId } from "../ui/Words.ts"

type Schemas = components["schemas"]
export type Job = Schemas["Job"]
export type JobDetails = Schemas["JobDetails"]

/** A job as lists return it. Only lists across all workspaces name the workspace. */
export type ListedJob = Omit<Job, "output"> &
  Partial<Omit<Schemas["ListedJob"] & Schemas["WorkspaceJob"], keyof Job>>

const statusLabels = {
  ACCEPTED: { word: "Fetching", tone: "busy" },
  IN_QUEUE: { word: "Queued", tone: "idle" },
  IN_PROGRESS: { word: "Transcribing", tone: "busy" },
  TRANSCRIBED: { word: "Transcribed", tone: "good" },
  COMPLETED: { word: "Completed", tone: "good" },
  FAILED: { word: "Failed", tone: "bad" },
  WEBHOOK_DELIVERED: { word: "Delivered", tone: "good" },
  WEBHOOK_FAILED: { word: "Not delivered", tone: "warn" }
} as const satisfies Record<ListedJob["status"], object>

export const statusLabel = (status: ListedJob["status"]) => statusLabels[status]
export type Cause = NonNullable<Options<"transcriptions.list">["cause"]>

/** The words for each cause: as far as possible, the sentence that a failed job shows. */
export const causeWords: Readonly<Record<Cause, string>> = {
  MediaUnreachable: "Failed to access the file or invalid URL",
  MediaTooLarge: "File size exceeds the limit",
  MediaUnsupported: "Unsupported file extension",
  MediaMissing: "The file is no longer stored",
  MediaUndecodable: "The file could not be decoded",
  AudioMissing: "The file has no audio",
  AudioTooLong: "The audio is too long",
  LanguageUnsupported: "The speech engine does not support the language",
  EngineUnavailable: "The engine is not available",
  EngineFailed: "The engine failed",
  EngineRefused: "The engine refused the work",
  StorageFailed: "The storage is not available",
  TranscriptMissing: "The transcript is no longer stored",
  ReceiverRefused: "The receiver refused the webhook",
  ReceiverUnreachable: "The receiver could not be reached",
  WorkerLost: "The work was interrupted too often",
  BodyChanged: "The webhook could not be repeated as it was"
}

/** Whether a text is the name of a cause. A later release may have others. */
export const isCause = (text: string): text is Cause => Object.hasOwn(causeWords, text)

export const statuses = Object.keys(statusLabels) as ReadonlyArray<ListedJob["status"]>
const ended = ["COMPLETED", "FAILED", "WEBHOOK_DELIVERED", "WEBHOOK_FAILED"]

/** Whether the job can be cancelled: nothing is charged before the transcription has ended. */
export const isCancellable = ({ transcription_status }: ListedJob): boolean =>
  ["ACCEPTED", "IN_QUEUE", "IN_PROGRESS"].includes(transcription_status)

/** Whether the job is finished. Only a request, such as a retry, can change it then. */
export const hasEnded = (job: ListedJob): boolean =>
  ended.includes(job.status) &&
  job.webhook_status !== "PENDING" &&
  !["IN_PROGRESS", "PENDING"].includes(job.summary_status ?? "")

/** Returns the client's name for the job, its file, or the end of its id, where ids differ most. */
export const nameOf = ({ callback_id, filename, id }: ListedJob): string =>
  callback_id || (filename ?? `Job ${shortId(id)}`)

export const matchesText = ({ callback_id, filename, id }: ListedJob, text: string): boolean =>
  [callback_id, filename, id].some((name) => name?.toLowerCase().includes(text.toLowerCase()))

export const isRetryable = ({ transcription_status }: ListedJob): boolean =>
  transcription_status === "FAILED"

export const isSummaryRetryable = (job: ListedJob): boolean =>
  hasEnded(job) &&
  job.summary_status?.startsWith("FAILED") === true &&
  job.results_removed_at === undefined

export const isRedeliverable = ({ results_removed_at, webhook_status }: ListedJob): boolean =>
  (webhook_status === "DELIVERED" || webhook_status === "FAILED") &&
  results_removed_at === undefined

export const newestFirst = (one: ListedJob, other: ListedJob): number =>
  one.id < other.id ? 1 : -1

/** Whether a list of jobs, newest first, goes back as far as a list read earlier. */
export const isReadAgain = (jobs: ReadonlyArray<ListedJob>, before: ReadonlyArray<ListedJob>) => {
  const oldest = before.at(-1)
  return oldest === undefined || (jobs.at(-1)?.id ?? "") <= oldest.id
}
