import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import {
  attemptStarted,
  commitOf,
  creation,
  deliveryStarted,
  instant,
  jobId,
  later,
  makeOwingJob,
  makeUploadJob,
  onDelivery,
  receiverAccepted,
  transcript,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import * as Deployment from "../Deployment.ts"

const key = Deployment.keys.inference
const told = jobId(1)

/** A job whose webhook was refused once and then taken. */
const prepare = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const { workspaceId } = yield* keys.authenticate(Redacted.make(key))
  const jobs = yield* JobStore
  const { delivery } = makeOwingJob(1, { kind: "Deliver", dueAt: instant })
  let job = makeUploadJob(1, { workspaceId, delivery })
  yield* jobs.insert(creation(job))
  const retried = onDelivery({
    _tag: "RetryScheduled",
    at: later(1_500),
    dueAt: later(61_500),
    failure: { _tag: "ReceiverRefused", status: 503 }
  })
  const commits = [
    { events: [attemptStarted()] },
    { events: [transcriptProduced()], transcript },
    { events: [deliveryStarted(0, later(1_000))] },
    { events: [retried] },
    { events: [deliveryStarted(0, later(61_500))] },
    { events: [receiverAccepted(later(61_750))] }
  ]
  for (const change of commits) {
    const commit = commitOf(job, change)
    yield* jobs.commit(commit)
    job = commit.next
  }
})

const at = "2025-01-02T03:04:05.678Z"
const webhook = { about: "webhook" }
const [first, second] = ["2025-01-02T03:04:06.678Z", "2025-01-02T03:05:07.178Z"]
const error = "The receiver answered 503"
const heard = { duration: "61.234", language: "en", engine: "sample" }

const expected = {
  id: told,
  events: [
    { revision: 1, at, about: "job", event: "accepted" },
    { revision: 2, at, about: "transcription", event: "attempt_started" },
    { revision: 3, at, about: "transcription", event: "transcript_produced", ...heard },
    { revision: 4, at: first, ...webhook, event: "attempt_started" },
    {
      revision: 5,
      at: "2025-01-02T03:04:07.178Z",
      ...webhook,
      event: "retry_scheduled",
      due_at: second,
      error
    },
    { revision: 6, at: second, ...webhook, event: "attempt_started" },
    {
      revision: 7,
      at: "2025-01-02T03:05:07.428Z",
      ...webhook,
      event: "receiver_accepted",
      status_code: 204
    }
  ],
  webhook_attempts: [
    {
      delivery: 1,
      attempt: 1,
      started_at: first,
      duration_ms: 500,
      status_code: 503,
      error
    },
    { delivery: 1, attempt: 2, started_at: second, duration_ms: 250, status_code: 204 }
  ]
}

layer(Deployment.layer(), { excludeTestServices: true })("the history of a job", (it) => {
  it.effect("tells every event and every webhook request, and a redelivery", () =>
    Effect.gen(function* () {
      yield* prepare
      const { call } = yield* Deployment.Deployment
      const path = `/v1/transcriptions/${told}`
      const read = Effect.map(call(`${path}/history`, { key }), ({ text }) => JSON.parse(text))
      assert.deepStrictEqual(yield* read, expected)
      yield* call(`${path}/webhook`, { method: "POST", key })
      const { events, webhook_attempts } = yield* read
      assert.deepInclude(events.at(-1), { ...webhook, revision: 8, event: "redelivery_requested" })
      assert.deepStrictEqual(webhook_attempts, expected.webhook_attempts)
    })
  )
})
