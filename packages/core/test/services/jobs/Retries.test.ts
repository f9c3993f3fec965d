/** Tests that a failed job runs again under its id, and only once per request. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines } from "@verbatim/testkit/fakes"

import { Effect, Layer } from "effect"
import { Failure } from "#src/domain/attempt/Failure"
import type { JobView } from "#src/domain/job/JobView"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { JobStore, unanswered } from "#src/ports/JobStore"
import { SummarizerError } from "#src/ports/Summarizer"
import { Jobs } from "#src/services/jobs/Jobs"
import {
  callback,
  caller,
  look,
  pass,
  received,
  script,
  submit,
  undecodable
} from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { deployment, front, worker } from "../../world/world.ts"

const world = worker.pipe(Layer.provideMerge(deployment))

const refused = Failure.cases.EngineRefused.make({ detail: "too long" })

/** Submits a job that fails. */
const failing = Effect.fnUntraced(function* (parameters = {}) {
  const principal = yield* caller
  yield* script({ decode: undecodable })
  const job = yield* submit(principal, parameters)
  yield* pass(3)
  yield* script({ decode: calmScript.decode })
  return { principal, job }
})

type Wish = (principal: Principal, id: string) => Effect.Effect<JobView, unknown>

const requests = {
  redeliver: (jobs: Jobs["Service"]): Wish => jobs.redeliver,
  retry: (jobs: Jobs["Service"]): Wish => jobs.retry
}

describe("A failed job", () => {
  it.effect("runs again with a transcript, a summary, a new webhook and one charge", () =>
    Effect.gen(function* () {
      const { job, principal } = yield* failing({ ...callback, summary: "brief" })
      const jobs = yield* Jobs
      const again = yield* jobs.retry(principal, job.id)
      assert.deepStrictEqual(
        [again.transcription_status, again.summary_status, again.webhook_status],
        ["IN_QUEUE", "PENDING", "PENDING"]
      )
      yield* pass(3)
      const done = yield* look(principal, job)
      assert.strictEqual(done.status, "WEBHOOK_DELIVERED")
      assert.strictEqual(done.summary_status, "COMPLETED")
      assert.strictEqual(done.balance_minutes, "598.00")
      const ids = (yield* received).map(({ headers }) => headers["webhook-id"])
      assert.strictEqual(new Set(ids).size, 2)
      const { events, webhook_attempts } = yield* jobs.history(principal, job.id)
      assert.include(
        events.map(({ event }) => event),
        "retry_requested"
      )
      assert.deepStrictEqual(
        webhook_attempts.map(({ attempt, delivery }) => [delivery, attempt]),
        [
          [1, 1],
          [2, 1]
        ]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("retries a failed summary once, from the stored transcript", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const engines = yield* FakeEngines
      yield* engines.script({ summarize: new SummarizerError({ reason: refused }) })
      const job = yield* submit(principal, { ...callback, summary: "brief" })
      yield* pass(3)
      const failed = yield* look(principal, job)
      assert.include(failed.summary_status, "FAILED: ")
      const jobs = yield* Jobs
      yield* engines.script({ summarize: calmScript.summarize })
      const again = yield* jobs.retry(principal, job.id)
      assert.deepStrictEqual(
        [again.transcription_status, again.summary_status, again.webhook_status],
        ["TRANSCRIBED", "PENDING", "PENDING"]
      )
      const expectNotFailed = Effect.map(Effect.flip(jobs.retry(principal, job.id)), (error) =>
        assert.strictEqual(error._tag, "NotFailed")
      )
      yield* expectNotFailed
      yield* pass(3)
      const done = yield* look(principal, job)
      const { summary = "" } = done
      assert.deepStrictEqual(done, { ...failed, summary, summary_status: "COMPLETED" })
      assert.lengthOf(yield* engines.recognitions, 1)
      const sent = (yield* received).map(({ body }) => JSON.parse(body).summary_status)
      assert.deepStrictEqual(sent, [failed.summary_status, "COMPLETED"])
      yield* expectNotFailed
    }).pipe(Effect.provide(world))
  )

  for (const request of ["redeliver", "retry"] as const) {
    it.effect(`accepts '${request}' only once, even if the first response is lost`, () =>
      Effect.gen(function* () {
        const { job, principal } = yield* failing(callback)
        let lost = 0
        const forgetful = replace(JobStore, (store) => ({
          commit: (change) =>
            Effect.tap(store.commit(change), () =>
              lost++ === 0 ? unanswered("commit") : Effect.void
            )
        }))
        const services = Layer.fresh(front.pipe(Layer.provide(forgetful)))
        const view = yield* Effect.flatMap(Jobs, (jobs) =>
          requests[request](jobs)(principal, job.id)
        ).pipe(Effect.provide(services))
        assert.strictEqual(view.webhook_status, "PENDING")
        const jobs = yield* Jobs
        const { events } = yield* jobs.history(principal, job.id)
        assert.lengthOf(
          events.filter(({ event }) => event.endsWith("_requested")),
          1
        )
      }).pipe(Effect.provide(world))
    )
  }
})
