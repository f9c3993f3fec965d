/** An outage is logged at its start, once a minute, and at its end. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { Cause, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { Failure } from "#src/domain/attempt/Failure"
import { TranscriberError } from "#src/ports/Transcriber"
import { WorkQueue, WorkQueueError } from "#src/ports/WorkQueue"
import { Worker } from "#src/worker/Worker"
import { look, pass, script, submit, withWorker } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { deployment, worker } from "../world/world.ts"

/** Collects log lines with a warning or an error, or about a recovery. */
const makeLog = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ cause, logLevel, message }) => {
    const text = `${Array.isArray(message) ? message.join(" ") : message}`
    if (logLevel === "Warn" || logLevel === "Error" || text.includes(" again after ")) {
      lines.push(cause.reasons.length === 0 ? text : `${text} ${Cause.pretty(cause)}`)
    }
  })
  return { lines, layer: Logger.layer([logger]) }
}

const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })

describe("An outage of the database", () => {
  it.effect("causes few claims, and is logged at its start, once a minute and at its end", () => {
    const { layer: logging, lines } = makeLog()
    return Effect.gen(function* () {
      let isAway = false
      let claims = 0
      const flaky = replace(WorkQueue, (queue) => ({
        claim: (request) =>
          Effect.suspend(() => {
            claims += 1
            return isAway
              ? new WorkQueueError({
                  operation: "claim",
                  cause: new Error("sql", { cause: refused })
                })
              : queue.claim(request)
          })
      }))
      const context = yield* Layer.build(worker.pipe(Layer.provide(flaky)))
      const { activity } = yield* Effect.provide(Worker, context)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(lines, [])
      isAway = true
      claims = 0
      for (let minute = 1; minute <= 10; minute += 1) {
        yield* TestClock.adjust("1 minute")
        assert.isAtMost(lines.length, 1 + minute)
      }
      assert.isAtLeast(lines.length, 10)
      // By now, the pauses between claims have grown to five seconds.
      assert.isAtMost(claims, 10 * 12 + 5)
      assert.deepInclude((yield* activity).outages[0], { dependency: "Database" })
      const [first, second] = lines
      const begins = "The worker cannot use the database"
      assert.strictEqual(first, `${begins}: connection refused`)
      assert.strictEqual(second, `${begins} for 1m 3s now: connection refused`)
      isAway = false
      yield* TestClock.adjust("5 seconds")
      assert.match(lines.at(-1) ?? "", /^The worker can use the database again after 10m/)
      assert.deepStrictEqual((yield* activity).outages, [])
      claims = 0
      yield* TestClock.adjust("1 minute")
      assert.isAtLeast(claims, 4 * 60 - 1)
      assert.notInclude(lines.join("\n"), "    at ")
    }).pipe(Effect.scoped, Effect.provide(deployment), Effect.provide(logging))
  })
})

describe("An engine that refuses our API key", () => {
  const detail = "401 invalid_api_key: Incorrect API key provided: sk-proj-a1b2c3d4e5f6."
  const shown = "401 invalid_api_key: Incorrect API key provided: [key]."

  it.effect("makes no job fail, because jobs wait until the key is accepted", () => {
    const { layer: logging, lines } = makeLog()
    return withWorker(function* (principal) {
      const reason = Failure.cases.EngineUnavailable.make({ detail })
      const { activity } = yield* Worker
      yield* script({ transcribe: new TranscriberError({ reason }) })
      const jobs = yield* Effect.forEach(Array(20), () => submit(principal, {}))
      yield* pass(300)
      const { outages } = yield* activity
      assert.deepInclude(outages[0], { dependency: "SpeechEngine", cause: shown })
      assert.isAtMost(lines.length, 6)
      assert.strictEqual(lines[0], `The speech engine cannot be used: ${shown}`)
      yield* script({ transcribe: calmScript.transcribe })
      yield* pass(75)
      for (const job of jobs) {
        assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
      }
      assert.match(lines.at(-1) ?? "", /^The speech engine can be used again after /)
      assert.notInclude(lines.join("\n"), "sk-proj")
      assert.deepStrictEqual((yield* activity).outages, [])
    }).pipe(Effect.provide(logging))
  })
})
