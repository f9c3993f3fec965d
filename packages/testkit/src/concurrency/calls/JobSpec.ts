/**
 * The jobs and events of the check, as plain values. A number and a shape determine a new job, and
 * a name and a number determine an event.
 */
import * as Delivery from "@verbatim/core/delivery"
import { type Job, JobEvent } from "@verbatim/core/job"
import * as Notice from "@verbatim/core/notice"
import * as Summary from "@verbatim/core/summary"
import * as Transcription from "@verbatim/core/transcription"
import { DateTime } from "effect"
import { deliveryId } from "../../samples/Ids.ts"
import { makeFullJob, makePendingJob, makeUploadJob, media } from "../../samples/SampleJob.ts"
import { instant } from "../../samples/SampleWorkspace.ts"

/** The states in which a job can be inserted. */
const shapes = {
  /** A job with an upload that requests only a transcript. */
  upload: makeUploadJob,
  /** A job with media at a URL that requests a summary and a webhook. */
  demanding: makeFullJob,
  /** A transcribed job with a pending summary. */
  summary: (number: number) => makePendingJob(number, { kind: "Summarize", dueAt: instant }),
  /** A job with only its webhook pending. */
  webhook: (number: number) => makePendingJob(number, { kind: "Deliver", dueAt: instant }),
  /** A job with only its notice pending. */
  notice: (number: number) => makePendingJob(number, { kind: "Notify", dueAt: instant })
} as const satisfies Record<string, (number: number) => Job>

/** The name of a state in which a job can be inserted. */
export type JobShape = keyof typeof shapes

export const jobShapes = Object.keys(shapes) as ReadonlyArray<JobShape>

/** Creates the job with the given number and shape. */
export const jobFrom = (number: number, shape: JobShape): Job => shapes[shape](number)

/** A job event, as plain values. */
export interface EventSpec {
  readonly machine: JobEvent["_tag"]
  readonly event: string
  /** The number of the history entry, which is unique within a round. */
  readonly number: number
  /** Whether the next attempt is scheduled years ahead, which keeps claims from taking the job. */
  readonly isFarOff: boolean
}

/** Returns the timestamp for the event with the given number. */
export const instantOf = (number: number): DateTime.Utc =>
  DateTime.add(instant, { milliseconds: number })

const farOff = DateTime.makeUnsafe("2190-01-01T00:00:00.000Z")

/** Returns the fields for all kinds of events. Each event's schema keeps the ones that it needs. */
const detailsOf = ({ id }: Job, { isFarOff, number }: EventSpec) => ({
  at: instantOf(number),
  dueAt: isFarOff ? farOff : instant,
  failure: { _tag: "WorkerLost" as const },
  media: media(Number.parseInt(id.slice(-12), 16)),
  durationMillis: 61_234,
  language: "en",
  isEmpty: false,
  engine: "sample",
  isMediaKept: number % 2 === 0,
  reason: "transcript too short",
  text: `summary ${number}`,
  type: "brief",
  frozen: { balanceMillis: number },
  status: 204,
  id: deliveryId(number)
})

/** Events that the check never chooses, because only a worker can write them. */
const unchosen = ["AttemptPostponed", "AttemptLost", "PieceRecognised"]

type EventName = Pick<EventSpec, "event" | "machine">

/**
 * Builds the event. A missing field is a defect, because no store could write the event, and every
 * response to the commit would count as lost. Core's machines reject illegal events.
 */
export const eventOf = (job: Job, spec: EventSpec): JobEvent => {
  const event = { _tag: spec.event, ...detailsOf(job, spec) }
  return JobEvent.make({ _tag: spec.machine, event } as unknown as JobEvent)
}

/** Returns the names of the events that a job accepts. */
export const acceptable = (job: Job): ReadonlyArray<EventName> => {
  const { delivery, notice, summary, transcription } = job
  if (!Transcription.isTerminal(transcription)) {
    return eventNames("Transcription", Transcription.edges[transcription._tag])
  }
  if (summary !== null && !Summary.isTerminal(summary)) {
    return eventNames("Summary", Summary.edges[summary._tag])
  }
  if (delivery !== null && !Delivery.isTerminal(delivery)) {
    return eventNames("Delivery", Delivery.edges[delivery._tag])
  }
  const hasFailed = transcription._tag === "Failed" || summary?._tag === "Failed"
  const requests = [...(delivery === null ? [] : [redelivery]), ...(hasFailed ? [retry] : [])]
  return [
    ...(notice?._tag === "Calling" ? [] : requests),
    ...(notice === undefined ? [] : eventNames("Notice", Notice.edges[notice._tag]))
  ]
}

const redelivery: EventName = { machine: "Redelivery", event: "RedeliveryRequested" }
const retry: EventName = { machine: "Retry", event: "RetryRequested" }

const eventNames = (machine: EventSpec["machine"], row: object): ReadonlyArray<EventName> =>
  Object.keys(row)
    .filter((event) => !unchosen.includes(event))
    .map((event) => ({ machine, event }))
