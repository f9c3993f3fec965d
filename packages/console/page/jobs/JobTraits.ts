/** What a line about a job says: its name, its age, how it stands, and what may be done with it. */
import type { components } from "@verbatim/client"
import { endOf } from "../ui/Words.ts"

type Schemas = components["schemas"]

/** A job as it is told when it is asked for. */
export type Job = Schemas["Job"]

/** A job with all that is known of it. */
export type JobDetails = Schemas["JobDetails"]

/** A job as lists have it; what came of another question may lack what only lists tell. */
export type ListedJob = Omit<Job, "output"> &
  Partial<Pick<Schemas["ListedJob"], "created_at" | "filename">>

/** How a job stands, in the words of the page. */
export type Tone = "bad" | "busy" | "good" | "idle" | "warn"

/** How each status is shown. */
const shown: Readonly<Record<ListedJob["status"], { readonly word: string; readonly tone: Tone }>> =
  {
    ACCEPTED: { word: "Fetching", tone: "busy" },
    IN_QUEUE: { word: "Queued", tone: "idle" },
    IN_PROGRESS: { word: "Transcribing", tone: "busy" },
    TRANSCRIBED: { word: "Transcribed", tone: "good" },
    COMPLETED: { word: "Completed", tone: "good" },
    FAILED: { word: "Failed", tone: "bad" },
    WEBHOOK_DELIVERED: { word: "Delivered", tone: "good" },
    WEBHOOK_FAILED: { word: "Not delivered", tone: "warn" }
  }

/** A status as a word and a tone. */
export const toShown = (status: ListedJob["status"]) => shown[status]

/** Every status, for a filter. */
export const statuses = Object.keys(shown) as ReadonlyArray<ListedJob["status"]>

const ended: ReadonlyArray<ListedJob["status"]> = [
  "COMPLETED",
  "FAILED",
  "WEBHOOK_DELIVERED",
  "WEBHOOK_FAILED"
]

/** Whether nothing will change of it any more, unless somebody asks for it. */
export const isOver = (job: ListedJob): boolean =>
  ended.includes(job.status) &&
  job.webhook_status !== "PENDING" &&
  !["IN_PROGRESS", "PENDING"].includes(job.summary_status ?? "")

const millisDigits = 12

/** When it was accepted: its id begins with the time (UUID, version 7). */
export const acceptedAt = ({ id }: { readonly id: string }): string => {
  const millis = Number.parseInt(id.replaceAll("-", "").slice(0, millisDigits), 16)
  return Number.isNaN(millis) ? "" : new Date(millis).toISOString()
}

/** What it is called: by whoever sent it, else the end of its id, which tells it from others. */
export const nameOf = (job: ListedJob): string => {
  if (job.callback_id !== undefined && job.callback_id !== "") return job.callback_id
  return job.filename ?? `Job ${endOf(job.id)}`
}

/** Whether somebody who looks for that text means this job. */
export const isMeant = (job: ListedJob, text: string): boolean => {
  const wanted = text.trim().toLowerCase()
  if (wanted === "") return true
  return [job.callback_id, job.filename, job.id].some((name) =>
    name?.toLowerCase().includes(wanted)
  )
}

/** Whether it can be run again. */
export const isRetryable = ({ transcription_status }: ListedJob): boolean =>
  transcription_status === "FAILED"

/** Whether its webhook can be delivered again. */
export const isRedeliverable = ({ results_removed_at, webhook_status }: ListedJob): boolean =>
  (webhook_status === "DELIVERED" || webhook_status === "FAILED") &&
  results_removed_at === undefined
