/**
 * A job as a host sees it: instants are `Date`, times are whole milliseconds, and what can be told
 * apart has a `state` of its own.
 */
import { type Failure as CoreFailure, sentence } from "@verbatim/core/attempt"
import { type Job as CoreJob, filenameOf } from "@verbatim/core/job"
import { toWarningView, type WarningView } from "@verbatim/core/transcription"
import type { DateTime } from "effect"

/** Why something failed. */
export interface Failure {
  /** For programs, for example `EngineFailed`. */
  readonly code: string
  /** For people. It names no host, path or text from outside. */
  readonly message: string
  /** What went wrong in its own words, for whoever runs the process: show it to no caller. */
  readonly detail?: string
}

/** Whose something is. */
export interface Owner {
  /** The id that Verbatim gave the workspace. */
  readonly id: string
  /** The host's own name for it; null where an operator made it without one. */
  readonly name: string | null
}

/** What is still to be done, or is being done. */
interface Pending {
  readonly state: "pending"
  /** How often it was begun. */
  readonly attempts: number
  /** When it may begin; null while it is under way. */
  readonly dueAt: Date | null
}

interface Failed {
  readonly state: "failed"
  readonly failure: Failure
  readonly endedAt: Date
}

/** Where the recognition stands. */
export type Transcription =
  | (Pending & { readonly stage: "download" | "recognition" })
  | {
      readonly state: "completed"
      readonly durationMillis: number
      /** ISO 639; `und` where nobody knows. */
      readonly language: string
      /** Whether nothing was said. */
      readonly isEmpty: boolean
      readonly engine: string
      /** Whether the engine was told the keywords; null where there were none. */
      readonly areKeywordsUsed: boolean | null
      /** Whether the engine was told how many voices there are; null where nobody knew. */
      readonly isSpeakerCountUsed: boolean | null
      /** How many voices are in the transcript; null where an older version made it. */
      readonly speakerCount: number | null
      /** What of the recording was not heard, and why. */
      readonly warnings: ReadonlyArray<WarningView>
      readonly endedAt: Date
    }
  | Failed

/** Lengths of a summary. */
export type SummaryType = "brief" | "medium" | "long"

/**
 * Where the summary stands; `type` is what was made, once it is: a shorter one than was asked for,
 * of shorter audio.
 */
export type Summary = { readonly type: SummaryType; readonly requested: SummaryType } & (
  | Pending
  | { readonly state: "completed"; readonly text: string; readonly endedAt: Date }
  | { readonly state: "skipped"; readonly reason: string; readonly endedAt: Date }
  | Failed
)

/** Where the webhook stands. */
export type Webhook = { readonly url: string } & (
  | Pending
  | { readonly state: "delivered"; readonly status: number; readonly endedAt: Date }
  | Failed
)

/** The host's own functions that are called for a job. */
export type Hook = "transcribed" | "finished"

/** Where the call of the host's own `transcribed` or `finished` stands. */
export type Notice =
  | Pending
  | { readonly state: "told"; readonly attempts: number; readonly endedAt: Date }
  | (Failed & { readonly attempts: number })

/** A transcription job. */
export interface Job {
  readonly id: string
  readonly workspace: Owner
  readonly acceptedAt: Date
  readonly source:
    | { readonly kind: "upload"; readonly filename: string }
    /** The name is the last part of the path of the URL, empty where there is none. */
    | { readonly kind: "url"; readonly url: string; readonly filename: string }
  /** The host's own word about it. */
  readonly callbackId: string | null
  readonly transcription: Transcription
  /** Null where none was asked for, as for the webhook and the notices. */
  readonly summary: Summary | null
  readonly webhook: Webhook | null
  /** Of `transcribed`; null as well when the transcription failed. */
  readonly transcriptNotice: Notice | null
  /** Of `finished`. */
  readonly notice: Notice | null
  /** Whether transcript and summary are over, well or not. */
  readonly isOver: boolean
  /** When transcript and summary were removed by retention. */
  readonly resultsRemovedAt: Date | null
}

const dateOf = ({ epochMilliseconds }: DateTime.Utc): Date => new Date(epochMilliseconds)

export const toFailure = (failure: CoreFailure): Failure => ({
  code: failure._tag,
  message: sentence(failure),
  ...("detail" in failure ? { detail: failure.detail } : {})
})

const toFailed = (state: { readonly failure: CoreFailure; readonly endedAt: DateTime.Utc }) => ({
  state: "failed" as const,
  failure: toFailure(state.failure),
  endedAt: dateOf(state.endedAt)
})

/** A state that waits has spent attempts, one under way has begun another. */
const toPending = (
  state:
    | { readonly attempts: number; readonly dueAt: DateTime.Utc }
    | { readonly attempt: number; readonly startedAt: DateTime.Utc }
): Pending =>
  "attempts" in state
    ? { state: "pending", attempts: state.attempts, dueAt: dateOf(state.dueAt) }
    : { state: "pending", attempts: state.attempt, dueAt: null }

const toTranscription = (state: CoreJob["transcription"]): Transcription => {
  switch (state._tag) {
    case "AwaitingMedia":
    case "Fetching":
      return { ...toPending(state), stage: "download" }
    case "Queued":
    case "Running":
      return { ...toPending(state), stage: "recognition" }
    case "Failed":
      return toFailed(state)
    case "Transcribed": {
      const { durationMillis, endedAt, engine, isEmpty, language, warnings = [] } = state
      const { areKeywordsUsed = null, isSpeakerCountUsed = null, speakerCount = null } = state
      const wishes = { areKeywordsUsed, isSpeakerCountUsed, speakerCount }
      const made = { durationMillis, language, isEmpty, engine, ...wishes }
      const seen = { warnings: warnings.map(toWarningView), endedAt: dateOf(endedAt) }
      return { state: "completed", ...made, ...seen }
    }
  }
}

const toSummary = (
  state: NonNullable<CoreJob["summary"]>,
  requested: CoreJob["request"]["summary"]
): Summary => {
  const { type } = state
  const types = { type, requested: requested ?? type }
  switch (state._tag) {
    case "Waiting":
    case "Running":
      return { ...types, ...toPending(state) }
    case "Completed":
      return { ...types, state: "completed", text: state.text, endedAt: dateOf(state.endedAt) }
    case "Skipped":
      return { ...types, state: "skipped", reason: state.reason, endedAt: dateOf(state.endedAt) }
    case "Failed":
      return { ...types, ...toFailed(state) }
  }
}

const toWebhook = (state: NonNullable<CoreJob["delivery"]>): Webhook => {
  const { url } = state.receiver
  switch (state._tag) {
    case "Waiting":
    case "Sending":
      return { url, ...toPending(state) }
    case "Delivered":
      return { url, state: "delivered", status: state.status, endedAt: dateOf(state.endedAt) }
    case "Failed":
      return { url, ...toFailed(state) }
  }
}

const toNotice = (state: NonNullable<CoreJob["notice"]>): Notice => {
  switch (state._tag) {
    case "Waiting":
    case "Calling":
      return toPending(state)
    case "Told":
      return { state: "told", attempts: state.attempt, endedAt: dateOf(state.endedAt) }
    case "Failed":
      return { ...toFailed(state), attempts: state.attempt }
  }
}

const isPending = (part: { readonly state: string } | null): boolean => part?.state === "pending"

/** Shows a job of a workspace. */
export const toJob = (job: CoreJob, workspace: Owner): Job => {
  const { delivery, id, notice, request, summary: asked, transcriptNotice } = job
  const transcription = toTranscription(job.transcription)
  const summary = asked === null ? null : toSummary(asked, request.summary)
  return {
    id,
    workspace,
    acceptedAt: dateOf(job.acceptedAt),
    source:
      request.source._tag === "Url"
        ? { kind: "url", url: request.source.url, filename: filenameOf(request.source) }
        : { kind: "upload", filename: request.source.filename },
    callbackId: request.callbackId,
    transcription,
    summary,
    webhook: delivery === null ? null : toWebhook(delivery),
    transcriptNotice:
      transcriptNotice === undefined || job.transcription._tag === "Failed"
        ? null
        : toNotice(transcriptNotice),
    notice: notice === undefined ? null : toNotice(notice),
    isOver: !isPending(transcription) && !isPending(summary),
    resultsRemovedAt: job.keeping?._tag === "TranscriptGone" ? dateOf(job.keeping.goneAt) : null
  }
}
