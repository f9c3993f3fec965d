/** Explains in a sentence why a job has its status and what happens next. */

import type { JobDetails as Job } from "../jobs/JobTraits.ts"
import { formatWhen } from "../ui/Clock.ts"
import type { Blocker } from "../work/Blockers.tsx"
import { type History, isPiece, type JobEvent } from "./JobHistory.ts"

const last = (events: ReadonlyArray<JobEvent>, about: JobEvent["about"]): JobEvent | undefined =>
  events.findLast((event) => event.about === about && !isPiece(event))

const count = (events: ReadonlyArray<JobEvent>, about: JobEvent["about"]): number =>
  events.filter((event) => event.about === about && event.event === "attempt_started").length

const times = (attempts: number): string => (attempts === 1 ? "once" : `${attempts} times`)

/** Appends a cause to a sentence in brackets, without the cause's full stop. */
const withCause = (sentence: string, cause: string | undefined): string =>
  cause === undefined ? sentence : `${sentence} (${cause.replace(/\.$/, "")})`

const failureOf = ({ cause, error = "the reason is unknown" }: Job): string =>
  withCause(error, cause)

/** Explains why a transcription failed, and whether the recording is still stored. */
const failedReason = (job: Job, { events }: History): string => {
  const attempts = times(Math.max(1, count(events, "transcription")))
  const isFetched =
    job.media_url === undefined || events.some(({ event }) => event === "media_stored")
  return isFetched
    ? `Failed: ${failureOf(job)}. Tried ${attempts}. The recording is kept for some days, so ` +
        "the job can be run again."
    : `The recording could not be fetched from its URL: ${failureOf(job)}. Tried ${attempts}. ` +
        "Running the job again fetches it again."
}

/** Explains when the next attempt starts after an attempt was postponed or failed. */
const afterAttempt = (event: JobEvent | undefined, now: number): string => {
  if (event?.due_at === undefined) return ""
  const due = new Date(event.due_at)
  const cause = event.error === undefined ? "" : `${withCause(event.error, event.cause)}. `
  return due.getTime() > now
    ? ` ${cause}The next attempt starts at ${formatWhen(due, now)}.`
    : ` ${cause}The next attempt starts as soon as a worker is free.`
}

/** The current time and the reasons why tasks wait. */
interface Circumstances {
  readonly now: number
  readonly blockers: ReadonlyArray<Blocker>
}

/** Explains why a task has not started. */
const waitingReason = (
  { does, task }: { readonly does: string; readonly task: string },
  event: JobEvent | undefined,
  { blockers, now }: Circumstances
): string => {
  const blocking = blockers.filter(({ tasks }) => tasks.includes(task))
  const why = blocking.map(({ sentence }) => ` ${sentence}`).join("") || afterAttempt(event, now)
  return why === "" ? `Waiting for a worker to ${does}.` : `Waiting to ${does}.${why}`
}

const transcriptionReason = (
  job: Job,
  history: History,
  circumstances: Circumstances
): string | undefined => {
  const { events } = history
  const about = last(events, "transcription")
  switch (job.transcription_status) {
    case "ACCEPTED":
      return about?.event === "attempt_started"
        ? "The recording is being fetched."
        : waitingReason({ does: "fetch the recording", task: "Fetch" }, about, circumstances)
    case "IN_QUEUE":
      return waitingReason(
        { does: "transcribe the recording", task: "Transcribe" },
        about,
        circumstances
      )
    case "IN_PROGRESS":
      return `Transcribing${
        about === undefined ? "" : ` since ${formatWhen(new Date(about.at), circumstances.now)}`
      }.${job.partial_output === undefined ? "" : " The text recognised so far is shown below."}`
    case "FAILED":
      return failedReason(job, history)
    default:
      return undefined
  }
}

const summaryReason = (
  job: Job,
  { events }: History,
  circumstances: Circumstances
): string | undefined => {
  const status = job.summary_status ?? ""
  if (status === "PENDING") {
    const task = { does: "write the summary", task: "Summarize" }
    return `The transcript is ready. ${waitingReason(task, last(events, "summary"), circumstances)}`
  }
  return status === "IN_PROGRESS"
    ? "The transcript is ready; the summary is being written."
    : undefined
}

const webhookReason = (
  job: Job,
  { events, webhook_attempts }: History,
  circumstances: Circumstances
) => {
  const attempts = webhook_attempts.length
  const answer = webhook_attempts.at(-1)
  switch (job.webhook_status) {
    case "PENDING":
      return answer?.duration_ms === null
        ? "The webhook is being sent."
        : waitingReason(
            { does: "send the webhook", task: "Deliver" },
            last(events, "webhook"),
            circumstances
          )
    case "FAILED":
      return `The receiver did not accept the webhook, which was sent ${times(attempts)}: ${
        answer?.error ?? `the receiver answered with ${answer?.status_code ?? "nothing"}`
      }. The result is stored and can be delivered again.`
    default:
      return undefined
  }
}

/** Explains why there is no summary, although one was requested. */
const missingSummary = ({ summary_cause, summary_status = "" }: Job): string | undefined => {
  const [state, reason = "the reason is unknown"] = summary_status.split(": ", 2)
  const why = withCause(reason.charAt(0).toLowerCase() + reason.slice(1), summary_cause)
  if (state === "SKIPPED") return `The transcript is complete. There is no summary: ${why}.`
  return state === "FAILED"
    ? `The transcript is complete, but the summary failed: ${why}. The summary can be run again.`
    : undefined
}

/** Returns the sentence that explains a job's status. */
export const statusReason = (job: Job, history: History, circumstances: Circumstances): string =>
  transcriptionReason(job, history, circumstances) ??
  summaryReason(job, history, circumstances) ??
  webhookReason(job, history, circumstances) ??
  (job.results_removed_at === undefined
    ? (missingSummary(job) ?? "Everything requested is done.")
    : "Everything requested is done. The results are no longer kept: their retention has expired.")
