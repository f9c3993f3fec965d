/** Job events that a worker commits. */

import type { Failure } from "@verbatim/core/attempt"
import * as Delivery from "@verbatim/core/delivery"
import { JobEvent } from "@verbatim/core/job"
import type * as Notice from "@verbatim/core/notice"
import type * as Summary from "@verbatim/core/summary"
import * as Transcription from "@verbatim/core/transcription"
import type { DateTime } from "effect"
import { instant } from "./SampleWorkspace.ts"

/** Wraps a transcription event as a job event. */
export const onTranscription = (event: Transcription.Event): JobEvent =>
  JobEvent.cases.Transcription.make({ event })

/** Wraps a summary event as a job event. */
export const onSummary = (event: Summary.Event): JobEvent => JobEvent.cases.Summary.make({ event })

/** Wraps a delivery event as a job event. */
export const onDelivery = (event: Delivery.Event): JobEvent =>
  JobEvent.cases.Delivery.make({ event })

/** Wraps a notice event as a job event. */
export const onNotice = (event: Notice.Event): JobEvent => JobEvent.cases.Notice.make({ event })

const { cases } = Transcription.Event

/** The event that begins a fetch or a transcription. */
export const attemptStarted = (at: DateTime.Utc = instant): JobEvent =>
  onTranscription(cases.AttemptStarted.make({ at }))

/** The event that records one of a recording's two pieces as recognised. */
export const pieceRecognised = (index: number, plan = "plan"): JobEvent => {
  const work = { isReused: false, engineMillis: 900 }
  const range = { readyFrom: index, readyTo: index + 1 }
  const event = { at: instant, plan, count: 2, index, ...work, ...range }
  return onTranscription(cases.PieceRecognised.make(event))
}

/** The event that releases an attempt, which then does not count. */
export const attemptReleased = (at: DateTime.Utc = instant): JobEvent =>
  onTranscription(cases.AttemptReleased.make({ at }))

const produced = { language: "en", isEmpty: false, engine: "sample", isMediaKept: true }

/** The event that records that a transcript was produced. */
export const transcriptProduced = (at: DateTime.Utc = instant, durationMillis = 61_234): JobEvent =>
  onTranscription(cases.TranscriptProduced.make({ at, durationMillis, ...produced }))

/** The event that records that a transcript with every warning was produced. */
export const transcriptWarned = (): JobEvent =>
  onTranscription(
    cases.TranscriptProduced.make({
      at: instant,
      durationMillis: 61_234,
      ...produced,
      warnings: [
        { _tag: "TracksIgnored", trackCount: 3, track: 2 },
        { _tag: "AudioTruncated", declaredMillis: 90_000, readMillis: 61_234 },
        { _tag: "ChannelsCancel" },
        { _tag: "Silent", track: 2, soundingTrack: 1 },
        { _tag: "Silent", track: 2 }
      ]
    })
  )

/** The event that schedules a retry of a failed attempt. */
export const retryScheduled = (
  dueAt: DateTime.Utc,
  failure: Failure = { _tag: "WorkerLost" }
): JobEvent => onTranscription(cases.RetryScheduled.make({ at: instant, dueAt, failure }))

/** The event that records the transcription as permanently failed. */
export const givenUp = (failure: Failure): JobEvent =>
  onTranscription(cases.GivenUp.make({ at: instant, failure }))

/** The event that begins a webhook's first attempt, with the balance shown in the webhook. */
export const deliveryStarted = (balanceMillis: number, at: DateTime.Utc = instant): JobEvent =>
  onDelivery(Delivery.Event.cases.AttemptStarted.make({ at, frozen: { balanceMillis } }))

/** The event that postpones a webhook because nothing was sent; the attempt does not count. */
export const attemptPostponed = (dueAt: DateTime.Utc = instant): JobEvent =>
  onDelivery(
    Delivery.Event.cases.AttemptPostponed.make({
      at: instant,
      dueAt,
      failure: { _tag: "StorageFailed", detail: "no transcript" }
    })
  )

/** The event that records part of a job as expired or deleted. */
export const onRetention = (
  tag: "MediaExpired" | "MediaRemoved" | "TranscriptExpired",
  at: DateTime.Utc = instant
): JobEvent => JobEvent.cases.Keeping.make({ event: { _tag: tag, at } })

/** The event that records that a summary was produced. */
export const summaryProduced = (text: string): JobEvent =>
  onSummary({ _tag: "SummaryProduced", at: instant, type: "brief", text })

/** The event that records the webhook as accepted by its receiver. */
export const receiverAccepted = (at: DateTime.Utc = instant): JobEvent =>
  onDelivery(Delivery.Event.cases.ReceiverAccepted.make({ at, status: 204 }))
