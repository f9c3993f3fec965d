/** Explains in a sentence why a job has its status and what happens next. */
import type { JobDetails as Job } from "../jobs/JobTraits.ts"
import { formatWhen } from "../ui/Clock.ts"
import { type History, isPiece, type JobEvent } from "./JobHistory.ts"

const last = (events: ReadonlyArray<JobEvent>, about: JobEvent["about"]): JobEvent | undefined =>
  events.findLast((event) => event.about === about && !isPiece(event))

const count = (events: ReadonlyArray<JobEvent>, about: JobEvent["about"]): number =>
  events.filter((event) => event.about === about && event.event === "attempt_started").length

const times = (attempts: number): string => (attempts === 1 ? "once" : `${attempts} times`)
const withCause = (sentence: string, cause: string | undefined): string =>
  cause === undefined ? sentence : `${sentence} (${cause.replace(/\.$/, "")})`

const failureOf = ({ cause, error = "the reason is unknown" }: Job) => withCause(error, cause)
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

const nextAttempt = ({ due_at }: JobEvent, now: number): string => {
  if (due_at === undefined) return ""
  const due = new Date(due_at)
  return due.getTime() > now
    ? ` The next attempt starts at ${formatWhen(due, now)} or later.`
    : " The next attempt is due, and waits for a worker."
}

export type Blocker = Readonly<{ tasks: ReadonlyArray<string>; sentence: string }>
type Circumstances = Readonly<{ now: number; blockers: ReadonlyArray<Blocker> }>

const waitingReason = (
  { does, task }: { readonly does: string; readonly task: string },
  event: JobEvent | undefined,
  { blockers, now }: Circumstances
): string => {
  const blocking = blockers.filter(({ tasks }) => tasks.includes(task))
  const cause = event?.error === undefined ? "" : ` ${withCause(event.error, event.cause)}.`
  const known = blocking.map(({ sentence }) => ` ${sentence}`).join("") || cause
  const why = known + (event === undefined ? "" : nextAttempt(event, now))
  return why === "" ? `Waiting for a worker to ${does}.` : `Waiting to ${does}.${why}`
}

const missingSummary = ({ summary_cause, summary_status = "" }: Job): string | undefined => {
  const [state, reason = "the reason is unknown"] = summary_status.split(": ", 2)
  const why = withCause(reason.charAt(0).toLowerCase() + reason.slice(1), summary_cause)
  if (state === "SKIPPED") return `The transcript is complete. There is no summary: ${why}.`
  return state === "FAILED"
    ? `The transcript is complete, but the summary failed: ${why}. The summary can be run again.`
    : undefined
}

const undelivered = ({ webhook_attempts }: History): string => {
  const { error, status_code } = webhook_attempts.at(-1) ?? {}
  const why = error ?? `the receiver answered with ${status_code ?? "nothing"}`
  const sent = times(webhook_attempts.length)
  return (
    `The receiver did not accept the webhook, which was sent ${sent}: ${why}. ` +
    "The result is stored and can be delivered again."
  )
}

export const statusReason = (job: Job, history: History, circumstances: Circumstances): string => {
  const { events, webhook_attempts } = history
  const waitFor = (about: JobEvent["about"], [does, task]: readonly [string, string]): string =>
    waitingReason({ does, task }, last(events, about), circumstances)
  const transcription = last(events, "transcription")
  if (job.transcription_status === "ACCEPTED") {
    return transcription?.event === "attempt_started"
      ? "The recording is being fetched."
      : waitFor("transcription", ["fetch the recording", "Fetch"])
  }
  if (job.transcription_status === "IN_QUEUE") {
    return waitFor("transcription", ["transcribe the recording", "Transcribe"])
  }
  if (job.transcription_status === "IN_PROGRESS") {
    const at = transcription && formatWhen(new Date(transcription.at), circumstances.now)
    const text = " The text recognised so far is shown below."
    return `Transcribing${at === undefined ? "" : ` since ${at}`}.${job.partial_output ? text : ""}`
  }
  if (job.transcription_status === "FAILED") return failedReason(job, history)
  if (job.summary_status === "PENDING") {
    return `The transcript is ready. ${waitFor("summary", ["write the summary", "Summarize"])}`
  }
  if (job.summary_status === "IN_PROGRESS") {
    return "The transcript is ready; the summary is being written."
  }
  if (job.webhook_status === "PENDING") {
    return webhook_attempts.at(-1)?.duration_ms === null
      ? "The webhook is being sent."
      : waitFor("webhook", ["send the webhook", "Deliver"])
  }
  if (job.webhook_status === "FAILED") return undelivered(history)
  return job.results_removed_at === undefined
    ? (missingSummary(job) ?? "Everything requested is done.")
    : "Everything requested is done. The results are no longer kept: their retention has expired."
}
