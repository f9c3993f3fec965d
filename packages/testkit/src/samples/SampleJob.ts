/** Jobs accepted in different ways, and commits to these jobs. */

import type { Failure, WorkKind } from "@verbatim/core/attempt"
import * as Delivery from "@verbatim/core/delivery"
import {
  applyCommit,
  type Holding,
  type IdempotencyRecord,
  Job,
  type JobEvent,
  pendingWork
} from "@verbatim/core/job"
import * as Notice from "@verbatim/core/notice"
import type { BodyChange, Commit, Creation, LeaseToken, TextRemoval } from "@verbatim/core/ports"
import * as Summary from "@verbatim/core/summary"
import * as Transcription from "@verbatim/core/transcription"
import {
  makeMediaKey,
  type Peaks,
  type Piece,
  type Transcript,
  TranscriptionRequest
} from "@verbatim/core/transcription"
import { type DateTime, Option, Result } from "effect"
import { deliveryId, jobId, noticeId, workspaceId } from "./Ids.ts"
import { instant } from "./SampleWorkspace.ts"

/** A request without options. */
export const request: TranscriptionRequest = TranscriptionRequest.make({
  source: { _tag: "Upload", filename: "meeting.flac" },
  language: null,
  initialPrompt: null,
  isVadFiltered: false,
  isDiarized: true,
  callback: null,
  callbackId: null,
  summary: null,
  template: null
})

/** Uploaded media in the store. */
export const media = (number: number): Transcription.StoredMedia => ({
  key: makeMediaKey({ jobId: jobId(number), attempt: 0, extension: ".flac" }),
  extension: ".flac",
  byteLength: 1_234_567
})

const states = Transcription.State.cases

/** Creates a job with an upload, ready to be transcribed. */
export const makeUploadJob = (number: number, overrides: Partial<Job> = {}): Job =>
  Job.make({
    id: jobId(number),
    workspaceId: workspaceId(1),
    revision: 1,
    request,
    acceptedAt: instant,
    transcription: states.Queued.make({
      id: jobId(number),
      media: media(number),
      attempts: 0,
      dueAt: instant
    }),
    summary: null,
    delivery: null,
    ...overrides
  })

const noticeState = (number: number, dueAt: DateTime.Utc) =>
  Notice.State.cases.Waiting.make({ id: noticeId(number), attempts: 0, dueAt })

/** Creates a job with a notice. */
export const makeNoticedJob = (number: number, overrides: Partial<Job> = {}): Job =>
  makeUploadJob(number, { notice: noticeState(number, instant), ...overrides })

/** Creates a job with media from a URL, a summary, a callback and a notice. */
export const makeFullJob = (number: number): Job => {
  const url = "https://media.example.com/a%20b.mp3?x=1&y=é"
  const callback = { url: "https://hooks.example.com:8443/in?a=1", modifier: "plain_json" as const }
  return makeUploadJob(number, {
    request: TranscriptionRequest.make({
      source: { _tag: "Url", url },
      language: "de",
      initialPrompt: 'Names: "Zoë", O\'Neill',
      isVadFiltered: true,
      isDiarized: false,
      callback,
      callbackId: "démo-1 🎙️",
      summary: "long",
      template: "meetings"
    }),
    transcription: states.AwaitingMedia.make({
      id: jobId(number),
      url,
      attempts: 0,
      dueAt: instant
    }),
    summary: Summary.State.cases.Waiting.make({
      id: jobId(number),
      type: "long",
      attempts: 0,
      dueAt: instant
    }),
    delivery: Delivery.State.cases.Waiting.make({
      id: deliveryId(number),
      receiver: callback,
      attempts: 0,
      dueAt: instant,
      frozen: null
    }),
    notice: noticeState(number, instant)
  })
}

const transcribedState = (number: number) =>
  states.Transcribed.make({
    id: jobId(number),
    durationMillis: 61_234,
    language: "en",
    isEmpty: false,
    engine: "sample",
    endedAt: instant,
    media: null
  })

/** Creates a job with no pending work. */
export const makeFinishedJob = (number: number): Job =>
  makeUploadJob(number, { transcription: transcribedState(number) })

/** Creates a transcribed job that ended at this time and still has this content. */
export const makeOldJob = (
  number: number,
  { at = instant, holding = "Transcript" }: { at?: DateTime.Utc; holding?: Holding } = {}
): Job => {
  const id = jobId(number)
  const kept = holding === "Media" ? media(number) : null
  const transcription = { ...transcribedState(number), endedAt: at, media: kept }
  return makeUploadJob(number, {
    transcription: states.Transcribed.make(transcription),
    ...(holding === "Nothing" ? { keeping: { _tag: "TranscriptGone", id, goneAt: at } } : {})
  })
}

/** A kind of pending work, with its due time and receiver. */
export interface DueWork {
  readonly kind: WorkKind
  readonly dueAt: DateTime.Utc
  /** The receiver of a webhook. The URL's path is not part of the lane. */
  readonly receiver?: string
}

/** Creates a job with the given pending work. */
export const makePendingJob = (number: number, { dueAt, kind, receiver }: DueWork): Job => {
  const idle = { id: jobId(number), attempts: 0, dueAt }
  const transcription = transcribedState(number)
  const { AwaitingMedia, Queued } = states
  const parts: Readonly<Record<WorkKind, () => Partial<Job>>> = {
    Fetch: () => ({
      transcription: AwaitingMedia.make({ ...idle, url: "https://media.example.com/a.mp3" })
    }),
    Transcribe: () => ({ transcription: Queued.make({ ...idle, media: media(number) }) }),
    Isolate: () => {
      const setbacks = { outages: 0, deaths: 0, isSuspect: true }
      return { transcription: Queued.make({ ...idle, media: media(number), setbacks }) }
    },
    Summarize: () => ({
      transcription,
      summary: Summary.State.cases.Waiting.make({ ...idle, type: "brief" })
    }),
    Deliver: () => ({
      transcription,
      delivery: Delivery.State.cases.Waiting.make({
        ...idle,
        id: deliveryId(number),
        receiver: { url: receiver ?? "https://hooks.example.com/in", modifier: null },
        frozen: null
      })
    }),
    Notify: () => ({ transcription, notice: noticeState(number, dueAt) })
  }
  return makeUploadJob(number, parts[kind]())
}

/** Returns the argument of `JobStore.insert` for a job. */
export const creation = (job: Job, record?: IdempotencyRecord): Creation => ({
  job,
  work: pendingWork(job),
  idempotency: Option.fromUndefinedOr(record)
})

/** The parts of a commit that tests choose. */
export interface Change {
  readonly events: ReadonlyArray<JobEvent>
  readonly at?: DateTime.Utc
  readonly token?: LeaseToken
  readonly isLeaseKept?: boolean
  readonly transcript?: Transcript
  readonly piece?: Piece
  readonly peaks?: Peaks
  readonly chargeMillis?: number
  readonly body?: BodyChange
  readonly forgotten?: TextRemoval
}

/** Creates a commit of legal events to a job, with the next state and its pending work. */
export const commitOf = (job: Job, change: Change): Commit => {
  const next = Result.getOrThrow(applyCommit(job, change.events))
  return {
    next,
    events: change.events,
    at: change.at ?? instant,
    token: Option.fromUndefinedOr(change.token),
    work: pendingWork(next),
    isLeaseKept: change.isLeaseKept ?? false,
    transcript: Option.fromUndefinedOr(change.transcript),
    ...(change.piece === undefined ? {} : { piece: change.piece }),
    ...(change.peaks === undefined ? {} : { peaks: change.peaks }),
    chargeMillis: Option.fromUndefinedOr(change.chargeMillis),
    body: Option.fromUndefinedOr(change.body),
    ...(change.forgotten === undefined ? {} : { forgotten: change.forgotten })
  }
}

/** One failure of each kind, with details that are difficult to store. */
export const failures: ReadonlyArray<Failure> = [
  { _tag: "MediaUnreachable", detail: 'connect "ECONNREFUSED"\n  at …' },
  { _tag: "MediaTooLarge", maxMegabytes: 200 },
  { _tag: "MediaUnsupported", extension: "" },
  { _tag: "MediaMissing" },
  { _tag: "MediaUndecodable", detail: "" },
  { _tag: "MediaUndecodable", detail: "", cause: "IndexMissing" },
  { _tag: "AudioMissing" },
  { _tag: "AudioTooLong", maxHours: 10 },
  { _tag: "LanguageUnsupported", language: "zh" },
  { _tag: "EngineUnavailable", detail: "\\u0000 is not NUL" },
  { _tag: "EngineFailed", detail: "🎙️" },
  { _tag: "EngineRefused", detail: "401: no such key" },
  { _tag: "StorageFailed", detail: "'; --" },
  { _tag: "ReceiverRefused", status: 500 },
  { _tag: "ReceiverUnreachable", detail: "reset" },
  { _tag: "WorkerLost" },
  { _tag: "TranscriptMissing" },
  { _tag: "BodyChanged" },
  { _tag: "ListenerFailed", detail: "it threw: TypeError" }
]
