/** A recording that kills its process does not affect other work. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import { Failure } from "#src/domain/attempt/Failure"
import { TranscriberError } from "#src/ports/Transcriber"
import { Jobs } from "#src/services/jobs/Jobs"
import { callback, look, pass, script, submit, withCaller } from "../world/caller.ts"
import { supervisor } from "../world/processes.ts"

/** Makes the prompt `poison` kill the process. Other recordings take this many seconds. */
const poisoned = Effect.fnUntraced(function* (kill: Effect.Effect<never>, length: number) {
  const engines = yield* FakeEngines
  yield* engines.script({
    transcribe: Effect.gen(function* () {
      const recognition = (yield* engines.recognitions).at(-1)
      if (recognition?.initialPrompt !== "poison") {
        return yield* Effect.delay(calmScript.transcribe, `${length} seconds`)
      }
      yield* Effect.sleep("300 millis")
      return yield* kill
    })
  })
})

describe("A job that kills its process", () => {
  it.effect("is the only job that fails", () =>
    withCaller(function* (principal) {
      const { deaths, kill, start } = yield* supervisor
      yield* poisoned(kill, 20)
      yield* start
      const before = yield* submit(principal, callback)
      const poison = yield* submit(principal, { initial_prompt: "poison" })
      const after = yield* submit(principal, {})
      yield* pass(300)
      assert.strictEqual((yield* look(principal, before)).status, "WEBHOOK_DELIVERED")
      assert.strictEqual((yield* look(principal, after)).transcription_status, "COMPLETED")
      const { error, transcription_status } = yield* look(principal, poison)
      assert.strictEqual(transcription_status, "FAILED")
      assert.strictEqual(error, "The work was interrupted too often")
      // The job runs once with other jobs, and three times alone.
      assert.strictEqual(deaths(), 4)
      const jobs = yield* Jobs
      const { events } = yield* jobs.history(principal, before.id)
      const spent = events.filter(({ event }) => ["retry_scheduled", "given_up"].includes(event))
      assert.deepStrictEqual(spent, [])
    })
  )

  it.effect("fails in the end, even if outages interrupt its attempts", () =>
    withCaller(function* (principal) {
      const { deaths, kill, start } = yield* supervisor
      let calls = 0
      const reason = Failure.cases.EngineUnavailable.make({ detail: "503" })
      yield* script({
        transcribe: Effect.suspend(() =>
          ++calls % 3 === 0 ? Effect.fail(new TranscriberError({ reason })) : kill
        )
      })
      yield* start
      const poison = yield* submit(principal, {})
      yield* pass(600)
      assert.strictEqual((yield* look(principal, poison)).transcription_status, "FAILED")
      // The job runs with other jobs and then alone, three times.
      assert.strictEqual(deaths(), 6)
    })
  )

  it.effect("costs a webhook at most one attempt, however often the process dies", () =>
    withCaller(function* (principal) {
      const receiver = yield* FakeWebhookSender
      const { deaths, kill, start } = yield* supervisor
      yield* poisoned(kill, 1)
      yield* receiver.behave(() => Effect.delay(Effect.succeed(200), "5 seconds"))
      yield* start
      const job = yield* submit(principal, callback)
      yield* pass(3)
      // The process dies while it sends the webhook.
      yield* submit(principal, { initial_prompt: "poison" })
      yield* pass(300)
      assert.strictEqual(deaths(), 4)
      assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
      assert.isAtMost((yield* receiver.received).length, 2)
    })
  )
})
