/** Why a job stands where it stands, in a sentence, and what will come of it. */

import type { components } from "@verbatim/client"
import type { JobDetails as Job } from "../jobs/JobTraits.ts"
import { writeWhen } from "../ui/Clock.ts"

/** What happened to a job. */
export type History = components["schemas"]["JobHistory"]

/** One thing that happened. */
export type Happening = History["events"][number]

const last = (events: ReadonlyArray<Happening>, about: Happening["about"]): Happening | undefined =>
  events.findLast((event) => event.about === about)

const count = (events: ReadonlyArray<Happening>, about: Happening["about"]): number =>
  events.filter((event) => event.about === about && event.event === "attempt_started").length

const times = (attempts: number): string => (attempts === 1 ? "once" : `${attempts} times`)

/** A sentence of ours, and what the other side said, without a full stop. */
const withCause = (sentence: string, cause: string | undefined): string =>
  cause === undefined ? sentence : `${sentence} (${cause.replace(/\.$/, "")})`

const failureOf = ({ cause, error = "the reason is unknown" }: Job): string =>
  withCause(error, cause)

/** What a postponed or failed attempt means for the next one. */
const afterAttempt = (event: Happening | undefined, now: number): string => {
  if (event?.due_at === undefined) return ""
  const due = new Date(event.due_at)
  const cause = event.error === undefined ? "" : `${withCause(event.error, event.cause)}. `
  return due.getTime() > now
    ? ` ${cause}The next attempt begins at ${writeWhen(due, now)}.`
    : ` ${cause}The next attempt begins as soon as a worker is free.`
}

const whileTranscribing = (job: Job, { events }: History, now: number): string | undefined => {
  const about = last(events, "transcription")
  const again = afterAttempt(about, now)
  switch (job.transcription_status) {
    case "ACCEPTED":
      return about?.event === "attempt_started"
        ? "Its recording is being fetched."
        : `Its recording is not here yet: a worker fetches it first.${again}`
    case "IN_QUEUE":
      return `It waits for a worker to transcribe it.${again}`
    case "IN_PROGRESS":
      return `A worker transcribes it since ${
        about === undefined ? "a moment" : writeWhen(new Date(about.at), now)
      }. If that process dies, another one begins again within 31 seconds.`
    case "FAILED":
      return `It failed: ${failureOf(job)}. It was tried ${times(
        Math.max(1, count(events, "transcription"))
      )}. Its recording is kept for some days, so it can be run again.`
    default:
      return undefined
  }
}

const summaryWords = (job: Job, { events }: History, now: number): string | undefined => {
  const status = job.summary_status ?? ""
  if (status === "PENDING") {
    const again = afterAttempt(last(events, "summary"), now)
    return `Its transcript is there; its summary waits for a worker.${again}`
  }
  return status === "IN_PROGRESS"
    ? "Its transcript is there; its summary is being made."
    : undefined
}

const webhookWords = (job: Job, { events, webhook_attempts }: History, now: number) => {
  const attempts = webhook_attempts.length
  const answer = webhook_attempts.at(-1)
  switch (job.webhook_status) {
    case "PENDING":
      return `Its webhook ${
        answer?.duration_ms === null ? "is being sent" : "waits to be sent"
      }.${afterAttempt(last(events, "webhook"), now)}`
    case "FAILED":
      return `Its webhook was not taken, though it was sent ${times(attempts)}: ${
        answer?.error ?? `the receiver answered with ${answer?.status_code ?? "nothing"}`
      }. The result is here, and can be delivered again.`
    default:
      return undefined
  }
}

/** The sentence. */
export const whyOf = (job: Job, history: History, now: number): string =>
  whileTranscribing(job, history, now) ??
  summaryWords(job, history, now) ??
  webhookWords(job, history, now) ??
  (job.results_removed_at === undefined
    ? "All that was asked for is done."
    : "All is done, and its results are no longer kept: the workspace keeps them for a time.")
