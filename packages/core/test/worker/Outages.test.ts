/** An unreachable dependency makes no job fail and uses up no attempts. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { Cause, Effect, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Failure } from "#src/domain/attempt/Failure"
import { MediaStore, MediaStoreError } from "#src/ports/MediaStore"
import { TranscriberError } from "#src/ports/Transcriber"
import { WorkQueue, WorkQueueError } from "#src/ports/WorkQueue"
import { Jobs } from "#src/services/jobs/Jobs"
import { Worker } from "#src/worker/Worker"
import {
  caller,
  look,
  pass,
  script,
  stored,
  submit,
  withCaller,
  withWorker
} from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { deployment, worker, world } from "../world/world.ts"

const away = Failure.cases.EngineUnavailable.make({ detail: "503" })

const handIn = Effect.fnUntraced(function* (count: number, parameters = {}) {
  const principal = yield* caller
  const jobs = yield* Effect.forEach(Array(count), () => submit(principal, parameters))
  return { principal, jobs }
})

describe("An outage", () => {
  it.effect(
    "makes no job fail if the engine is unavailable, and only a few jobs try the engine",
    () =>
      Effect.gen(function* () {
        let calls = 0
        yield* script({
          transcribe: Effect.suspend(() => {
            calls += 1
            return new TranscriberError({ reason: away })
          })
        })
        const { jobs, principal } = yield* handIn(50)
        yield* pass(120)
        assert.lengthOf(yield* stored, 50)
        // Two jobs are tried at first, and then one job after each of 1, 2, 4, 8, 16, 32 and 60
        // seconds.
        assert.isAtMost(calls, 10)
        const { activity } = yield* Worker
        assert.deepInclude((yield* activity).outages[0], { dependency: "SpeechEngine" })
        yield* script({ transcribe: calmScript.transcribe })
        yield* pass(75)
        for (const job of jobs) {
          assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        }
        assert.deepStrictEqual((yield* activity).outages, [])
      }).pipe(Effect.provide(world))
  )

  it.effect("makes no job fail if the media store or a file is unavailable for a while", () =>
    Effect.gen(function* () {
      let reason: MediaStoreError["reason"] | undefined = { _tag: "Unavailable", cause: "gone" }
      const sick = replace(MediaStore, (media) => ({
        open: (key) =>
          Effect.suspend(() =>
            reason === undefined
              ? media.open(key)
              : new MediaStoreError({ operation: "open", reason })
          )
      }))
      yield* Layer.build(worker.pipe(Layer.provide(sick)))
      const { jobs, principal } = yield* handIn(6)
      yield* pass(30)
      reason = { _tag: "Missing" }
      yield* pass(75)
      reason = undefined
      yield* pass(75)
      const service = yield* Jobs
      for (const job of jobs) {
        assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        const { events } = yield* service.history(principal, job.id)
        assert.notInclude(
          events.map(({ event }) => event),
          "retry_scheduled"
        )
      }
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("delays no webhook if the media store does not respond", () =>
    withCaller(function* (principal) {
      const media = yield* MediaStore
      let isSilent = false
      const claims: Array<number> = []
      const quiet = Layer.mergeAll(
        Layer.succeed(MediaStore, {
          ...media,
          marker: Effect.suspend(() => (isSilent ? Effect.never : media.marker))
        }),
        replace(WorkQueue, (queue) => ({
          claim: (request) =>
            Effect.suspend(() => {
              const kinds = Object.keys(request.kinds)
              if (isSilent && kinds.includes("Deliver")) claims.push(kinds.length)
              return queue.claim(request)
            })
        }))
      )
      const own = Layer.fresh(Layer.provide(worker, quiet))
      // The test never closes the scope, because a claim that waits for this store would delay
      // that.
      yield* Layer.buildWithScope(own, yield* Scope.make())
      yield* submit(principal, {})
      yield* pass(2)
      isSilent = true
      yield* pass(60)
      // The worker claims every quarter of a second, as usual.
      assert.isAtLeast(claims.length, 4 * 60)
      // Claims include only webhooks, summaries and occasional suspects, but no media work.
      assert.isAtMost(claims.at(-1) ?? 0, 3)
    })
  )
})

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
