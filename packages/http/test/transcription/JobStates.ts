/** Builds jobs with their parts in every state, and the expected status of each. */
import * as Delivery from "@verbatim/core/delivery"
import type { Job } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import * as Summary from "@verbatim/core/summary"
import * as Transcription from "@verbatim/core/transcription"
import type { WorkspaceId } from "@verbatim/core/workspace"
import {
  commitOf,
  creation,
  deliveryId,
  instant,
  jobId,
  makeUploadJob,
  media,
  request,
  transcript,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect } from "effect"

/**
 * Each row has the states of transcription, summary and delivery, and the four statuses that result
 * from them.
 */
const table = `
AwaitingMedia  -          Waiting    ACCEPTED           ACCEPTED     PENDING    -
Fetching       Waiting    -          ACCEPTED           ACCEPTED     -          PENDING
Queued         -          -          IN_QUEUE           IN_QUEUE     -          -
Running        Waiting    Waiting    IN_PROGRESS        IN_PROGRESS  PENDING    PENDING
Transcribed    -          -          COMPLETED          COMPLETED    -          -
Transcribed    Running    -          COMPLETED          COMPLETED    -          IN_PROGRESS
Transcribed    Completed  -          COMPLETED          COMPLETED    -          COMPLETED
Transcribed    Skipped    Waiting    TRANSCRIBED        TRANSCRIBED  PENDING    short
Transcribed    Failed     Sending    TRANSCRIBED        TRANSCRIBED  PENDING    broken
Transcribed    Completed  Delivered  WEBHOOK_DELIVERED  TRANSCRIBED  DELIVERED  COMPLETED
Transcribed    -          Failed     WEBHOOK_FAILED     TRANSCRIBED  FAILED     -
Unfetched      Skipped    -          FAILED             FAILED       -          unheard
Broken         -          -          FAILED             FAILED       -          -
Broken         -          Sending    FAILED             FAILED       PENDING    -
Broken         -          Delivered  FAILED             FAILED       DELIVERED  -
Broken         Skipped    Failed     FAILED             FAILED       FAILED     unheard
`

/** The reasons for a missing summary, keyed by their names in the table. */
const reasons: Readonly<Record<string, string>> = {
  short: "SKIPPED: transcript too short",
  unheard: "SKIPPED: transcription failed",
  broken: "FAILED: The engine failed"
}

/** A job and its expected status. Fields that the status hides are undefined. */
export interface JobState {
  readonly id: string
  readonly transcription: string
  readonly summary: string
  readonly delivery: string
  readonly shown: Readonly<Record<string, string>>
}

const present = (record: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== "-"))

/** The rows of the table as jobs with ascending ids, so that a list shows the last job first. */
export const states: ReadonlyArray<JobState> = table
  .trim()
  .split("\n")
  .map((row, index) => {
    const [transcription = "", summary = "", delivery = "", ...shown] = row.split(/\s{2,}/)
    const [status = "", transcription_status = "", webhook_status = "", third = ""] = shown
    const summary_status = reasons[third] ?? third
    return {
      id: jobId(index + 1),
      transcription,
      summary,
      delivery,
      shown: present({ status, transcription_status, webhook_status, summary_status })
    }
  })

const receiver = { url: "https://hooks.example.com/in", modifier: null }
const frozen = { balanceMillis: 36_000_000 }

const transcriptionOf = (number: number, state: string): Transcription.State => {
  const id = jobId(number)
  const { AwaitingMedia, Failed, Fetching, Queued, Running } = Transcription.State.cases
  const url = "https://media.example.com/a.mp3"
  const due = { id, attempts: 0, dueAt: instant }
  const begun = { id, attempt: 1, startedAt: instant }
  const ended = { id, endedAt: instant }
  switch (state) {
    case "AwaitingMedia":
      return AwaitingMedia.make({ ...due, url })
    case "Fetching":
      return Fetching.make({ ...begun, url })
    case "Queued":
      return Queued.make({ ...due, media: media(number) })
    case "Unfetched":
      return Failed.make({
        ...ended,
        during: "Fetching",
        failure: { _tag: "MediaUnreachable", detail: "connect ECONNREFUSED 10.0.0.1:80" }
      })
    case "Broken":
      return Failed.make({
        ...ended,
        during: "Running",
        failure: { _tag: "MediaUndecodable", detail: "/var/lib/media: moov atom not found" }
      })
    default:
      return Running.make({ ...begun, media: media(number) })
  }
}

const summaryOf = (number: number, state: string, isHeard: boolean): Summary.State | null => {
  const request = { id: jobId(number), type: "brief" as const }
  const { Completed, Failed, Running, Skipped, Waiting } = Summary.State.cases
  const reason = isHeard ? "transcript too short" : "transcription failed"
  const all: Readonly<Record<string, Summary.State>> = {
    Waiting: Waiting.make({ ...request, attempts: 0, dueAt: instant }),
    Running: Running.make({ ...request, attempt: 1, startedAt: instant }),
    Completed: Completed.make({ ...request, text: "They greet.", endedAt: instant }),
    Skipped: Skipped.make({ ...request, reason, endedAt: instant }),
    Failed: Failed.make({
      ...request,
      failure: { _tag: "EngineFailed", detail: "out of memory at 0x0" },
      endedAt: instant
    })
  }
  return all[state] ?? null
}

const deliveryOf = (number: number, state: string): Delivery.State | null => {
  const identity = { id: deliveryId(number), receiver }
  const ended = { ...identity, attempt: 3, endedAt: instant }
  const { Delivered, Failed, Sending, Waiting } = Delivery.State.cases
  const all: Readonly<Record<string, Delivery.State>> = {
    Waiting: Waiting.make({ ...identity, attempts: 0, dueAt: instant, frozen: null }),
    Sending: Sending.make({ ...identity, attempt: 1, startedAt: instant, frozen }),
    Delivered: Delivered.make({ ...ended, status: 204 }),
    Failed: Failed.make({ ...ended, failure: { _tag: "ReceiverRefused", status: 500 } })
  }
  return all[state] ?? null
}

const jobOf = (number: number, state: JobState, workspaceId: WorkspaceId): Job =>
  makeUploadJob(number, {
    workspaceId,
    request: { ...request, callback: state.delivery === "-" ? null : receiver },
    transcription: transcriptionOf(number, state.transcription),
    summary: summaryOf(number, state.summary, state.transcription === "Transcribed"),
    delivery: deliveryOf(number, state.delivery)
  })

/** Half a second of a tone that becomes louder. */
export const peaks = { sampleCount: 8_000, interval: 4_000, values: [-12, 12, -128, 127] }

/**
 * Stores every job in the table. Each transcript is stored together with its event, as a worker
 * does.
 */
export const store = (workspaceId: WorkspaceId) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    for (const [index, state] of states.entries()) {
      const job = jobOf(index + 1, state, workspaceId)
      yield* jobs.insert(creation(job))
      if (state.transcription !== "Transcribed") continue
      yield* jobs.commit(commitOf(job, { events: [transcriptProduced()], transcript, peaks }))
    }
  })

/** Stores a job that failed because its link could not be read, and that delivered its webhook. */
export const storeFailedJob = Effect.fnUntraced(function* (
  number: number,
  workspaceId: WorkspaceId
) {
  const job = makeUploadJob(number, {
    workspaceId,
    request: { ...request, source: { _tag: "Url", url: "https://media.example.com/a.mp3" } },
    transcription: transcriptionOf(number, "Unfetched"),
    delivery: deliveryOf(number, "Delivered")
  })
  yield* (yield* JobStore).insert(creation(job))
  return job
})
