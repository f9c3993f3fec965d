/** Tests how responses show the history of a job. */
import { assert, describe, it } from "@effect/vitest"
import {
  later as afterMillis,
  attemptStarted,
  deliveryId,
  deliveryStarted,
  failures,
  givenUp,
  jobId,
  makeUploadJob,
  onDelivery,
  receiverAccepted,
  retryScheduled,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { DateTime, Option, Schema } from "effect"
import type { Failure } from "#src/domain/attempt/Failure"
import * as Delivery from "#src/domain/delivery/Delivery"
import type { JobEvent } from "#src/domain/job/JobEvent"
import { JobHistory, toHistory } from "#src/domain/job/JobHistory"

const later = (seconds: number) => afterMillis(seconds * 1_000)

const historyOf = (...commits: ReadonlyArray<ReadonlyArray<JobEvent>>) =>
  toHistory(makeUploadJob(1), {
    audience: "inference",
    entries: [[], ...commits].map((events, index) => ({
      revision: index + 1,
      at: later(index),
      token: Option.none(),
      events
    }))
  })

const iso = (seconds: number) => DateTime.formatIso(later(seconds))

const refused: Failure = { _tag: "ReceiverRefused", status: 503 }

const retriedWebhook = (seconds: number, failure: Failure): JobEvent =>
  onDelivery(
    Delivery.Event.cases.RetryScheduled.make({
      at: later(seconds),
      dueAt: later(seconds + 60),
      failure
    })
  )

const again = (seconds: number): JobEvent => ({
  _tag: "Redelivery",
  event: { _tag: "RedeliveryRequested", at: later(seconds), id: deliveryId(2) }
})

describe("the history of a job", () => {
  it("begins with the job's acceptance and lists every event", () => {
    const { events, id } = historyOf(
      [attemptStarted(later(1))],
      [retryScheduled(later(9), refused)],
      [transcriptProduced(later(3))]
    )
    assert.strictEqual(id, jobId(1))
    assert.deepStrictEqual(events, [
      { revision: 1, at: iso(0), about: "job", event: "accepted" },
      { revision: 2, at: iso(1), about: "transcription", event: "attempt_started" },
      {
        revision: 3,
        at: iso(0),
        about: "transcription",
        event: "retry_scheduled",
        due_at: iso(9),
        error: "The receiver answered 503"
      },
      {
        revision: 4,
        at: iso(3),
        about: "transcription",
        event: "transcript_produced",
        duration: "61.234",
        language: "en",
        engine: "sample"
      }
    ])
  })

  it("numbers each delivery's webhook requests, and shows their outcomes", () => {
    const { webhook_attempts } = historyOf(
      [deliveryStarted(0, later(1))],
      [retriedWebhook(3, refused)],
      [deliveryStarted(0, later(63))],
      [retriedWebhook(93, { _tag: "WorkerLost" })],
      [deliveryStarted(0, later(160))],
      [receiverAccepted(later(161))],
      [again(200)],
      [deliveryStarted(0, later(201))]
    )
    const row = (delivery: number, attempt: number, seconds: number) => ({
      delivery,
      attempt,
      started_at: iso(seconds)
    })
    assert.deepStrictEqual(webhook_attempts, [
      {
        ...row(1, 1, 1),
        duration_ms: 2_000,
        status_code: 503,
        error: "The receiver answered 503"
      },
      {
        ...row(1, 2, 63),
        duration_ms: 30_000,
        status_code: null,
        error: "The work was interrupted"
      },
      { ...row(1, 3, 160), duration_ms: 1_000, status_code: 204 },
      { ...row(2, 1, 201), duration_ms: null, status_code: null }
    ])
  })

  it("does not show error messages from drivers and receivers", () => {
    const secret = "connect ECONNREFUSED 10.0.0.7 /var/lib/media"
    const withDetail = failures.map(
      (failure): Failure => ("detail" in failure ? { ...failure, detail: secret } : failure)
    )
    const shown = historyOf(...withDetail.map((failure) => [givenUp(failure)]))
    assert.notInclude(JSON.stringify(shown), "ECONNREFUSED")
    assert.isTrue(Schema.is(JobHistory)(shown))
  })
})
