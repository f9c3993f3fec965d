import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { Failure } from "#src/domain/attempt/Failure"
import { JobStore } from "#src/ports/JobStore"
import { SummarizerError } from "#src/ports/Summarizer"
import { TranscriberError } from "#src/ports/Transcriber"
import {
  callback,
  look,
  pass,
  received,
  stored,
  submit,
  undecodable,
  withWorker
} from "../world/caller.ts"

const { EngineFailed, EngineRefused } = Failure.cases

const crashed = new TranscriberError({ reason: EngineFailed.make({ detail: "it crashed" }) })
const speechless = new SummarizerError({ reason: EngineFailed.make({ detail: "no" }) })

const script = (parts: Parameters<FakeEngines["Service"]["script"]>[0]) =>
  Effect.flatMap(FakeEngines, (engines) => engines.script(parts))

/** Submits a job, and returns its status after this many seconds. */
const seenAfter = Effect.fnUntraced(function* (
  seconds: number,
  ...submission: Parameters<typeof submit>
) {
  const accepted = yield* submit(...submission)
  yield* pass(seconds)
  return yield* look(submission[0], accepted)
})

describe("Worker", () => {
  it.effect("takes a job from upload to transcript, summary and webhook", () =>
    withWorker(function* (principal) {
      const accepted = yield* submit(principal, { ...callback, summary: "brief" })
      assert.strictEqual(accepted.transcription_status, "IN_QUEUE")
      assert.strictEqual(accepted.status, "IN_QUEUE")
      assert.strictEqual(accepted.webhook_status, "PENDING")
      assert.strictEqual(accepted.balance_minutes, "600.00")
      yield* pass(3)
      const done = yield* look(principal, accepted)
      assert.strictEqual(done.status, "WEBHOOK_DELIVERED")
      assert.strictEqual(done.transcription_status, "TRANSCRIBED")
      assert.strictEqual(done.summary_status, "COMPLETED")
      assert.strictEqual(done.summary, "Somebody said hello.")
      assert.strictEqual(done.output?.duration, "120")
      assert.strictEqual(done.balance_minutes, "598.00")
      const [post, ...more] = yield* received
      assert.strictEqual(more.length, 0)
      assert.strictEqual(post?.headers["X-Callback-ID"], "utf8-b64:ZMOpbW8tMQ==")
      const body = JSON.parse(post?.body ?? "")
      assert.strictEqual(body.status, "TRANSCRIBED")
      assert.strictEqual(body.webhook_status, "PENDING")
      assert.deepStrictEqual(body.output, done.output)
      assert.deepStrictEqual(yield* stored, [])
    })
  )

  it.effect("sends at most three webhooks, 60 seconds apart, with the same bytes", () =>
    withWorker(function* (principal) {
      const receiver = yield* FakeWebhookSender
      yield* receiver.behave(() => Effect.succeed(503))
      const accepted = yield* submit(principal, callback)
      yield* pass(150)
      const posts = yield* receiver.received
      assert.strictEqual(posts.length, 3)
      const [first, second, third] = posts.map(({ atMillis }) => atMillis)
      assert.isAtLeast((second ?? 0) - (first ?? 0), 60_000)
      assert.isAtLeast((third ?? 0) - (second ?? 0), 60_000)
      assert.strictEqual(new Set(posts.map(({ body }) => body)).size, 1)
      assert.strictEqual(new Set(posts.map(({ headers }) => headers["webhook-id"])).size, 1)
      const done = yield* look(principal, accepted)
      assert.strictEqual(done.status, "WEBHOOK_FAILED")
      assert.strictEqual(done.webhook_status, "FAILED")
      assert.strictEqual(done.transcription_status, "TRANSCRIBED")
    })
  )

  it.effect("removes characters from an engine's text that stores or receivers refuse", () =>
    withWorker(function* (principal) {
      const engines = yield* FakeEngines
      const hostile = "a\0b \ud83d"
      const [startMillis, endMillis, speaker] = [90_000_000, -5, "host\0ile"]
      yield* engines.script({
        transcribe: Effect.succeed({
          engine: `fake ${hostile.repeat(100)}`,
          language: "en",
          segments: [{ startMillis, endMillis, speaker, text: hostile }]
        }),
        summarize: Effect.succeed(hostile)
      })
      const spoken = yield* submit(principal, { ...callback, summary: "brief" })
      yield* pass(3)
      const { output, status, summary } = yield* look(principal, spoken)
      assert.strictEqual(status, "WEBHOOK_DELIVERED")
      assert.strictEqual(summary, "a\ufffdb \ufffd")
      assert.deepStrictEqual(output?.list, [
        { start: "120", end: "120", speaker: "speaker_0", text: "a\ufffdb \ufffd" }
      ])
      const reason = EngineRefused.make({ detail: hostile.repeat(1_000) })
      yield* engines.script({ transcribe: new TranscriberError({ reason }) })
      const refused = yield* submit(principal, callback)
      yield* pass(3)
      const store = yield* JobStore
      for (const { id } of [spoken, refused]) {
        const kept = JSON.stringify(yield* store.history(JobId.make(id)))
        assert.notMatch(kept, /\\u0000|\\ud83d/)
        assert.isBelow(kept.length, 4_000)
      }
    })
  )

  it.effect("makes three attempts if an engine fails each time, and reports the last failure", () =>
    withWorker(function* (principal) {
      yield* script({ transcribe: crashed })
      const done = yield* seenAfter(30, principal, { ...callback, summary: "long" })
      assert.strictEqual(done.transcription_status, "FAILED")
      assert.strictEqual(done.status, "FAILED")
      assert.strictEqual(done.error, "The engine failed")
      assert.strictEqual(done.summary_status, "SKIPPED: transcription failed")
      assert.strictEqual(done.webhook_status, "DELIVERED")
      assert.strictEqual(done.balance_minutes, "600.00")
      const store = yield* JobStore
      const history = yield* store.history(JobId.make(done.id))
      const tags = history.flatMap(({ events }) => events.map(({ event }) => event._tag))
      assert.deepStrictEqual(tags, [
        ...["AttemptStarted", "RetryScheduled", "AttemptStarted", "RetryScheduled"],
        ...["AttemptStarted", "GivenUp", "SummarySkipped", "AttemptStarted", "ReceiverAccepted"]
      ])
    })
  )

  it.effect("shows the engine's progress while it works", () =>
    withWorker(function* (principal) {
      const engines = yield* FakeEngines
      const slow = Effect.delay(calmScript.transcribe, "1 minute")
      yield* engines.script({ progress: 0.25, transcribe: slow })
      const job = yield* submit(principal, {})
      assert.isUndefined((yield* look(principal, job)).progress)
      yield* pass(15)
      assert.strictEqual((yield* look(principal, job)).progress, 0.25)
      yield* pass(60)
      const { progress, transcription_status } = yield* look(principal, job)
      assert.deepStrictEqual([transcription_status, progress], ["COMPLETED", undefined])
    })
  )

  it.effect(
    "fails a job immediately if its media is undecodable, without a charge, and keeps its file",
    () =>
      withWorker(function* (principal) {
        yield* script({ decode: undecodable })
        const done = yield* seenAfter(1, principal, {})
        assert.strictEqual(done.transcription_status, "FAILED")
        assert.strictEqual(done.error, "The file could not be decoded")
        assert.strictEqual(done.balance_minutes, "600.00")
        assert.lengthOf(yield* stored, 1)
      })
  )

  it.effect("gives up on a summary that fails three times, and still sends the webhook", () =>
    withWorker(function* (principal) {
      yield* script({ summarize: speechless })
      const asked = { ...callback, summary: "brief" }
      const { status, summary_status } = yield* seenAfter(30, principal, asked)
      assert.deepStrictEqual(
        [status, summary_status],
        ["WEBHOOK_DELIVERED", "FAILED: The engine failed"]
      )
    })
  )
})
