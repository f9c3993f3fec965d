/**
 * Tests paused tasks and reported failures, which workers and operators exchange through the
 * registry.
 */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { insertJob, jobId, makePendingJob } from "@verbatim/testkit/samples"
import { Array, Context, DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Failure } from "#src/domain/attempt/Failure"
import type { Task } from "#src/domain/attempt/Work"
import { JobStore } from "#src/ports/JobStore"
import { TranscriberError } from "#src/ports/Transcriber"
import { WorkerRegistry, WorkerRegistryError } from "#src/ports/WorkerRegistry"
import * as Heartbeat from "#src/worker/Heartbeat"
import { look, pass, script, submit, withCaller } from "../world/caller.ts"
import { worker } from "../world/world.ts"

const reporting = Layer.fresh(Heartbeat.layer("a worker", worker))

const pause = (...tasks: ReadonlyArray<Task>) =>
  Effect.flatMap(WorkerRegistry, (registry) => registry.pause(tasks))

const slowRegistry = Layer.effect(
  WorkerRegistry,
  Effect.map(WorkerRegistry, (registry) => ({
    ...registry,
    report: (sent) => Effect.delay(registry.report(sent), "3 seconds")
  }))
)

describe("Reported failures", () => {
  it.effect("are counted by task and reason until an hour after the last attempt", () =>
    withCaller(function* (principal) {
      const { survey } = yield* WorkerRegistry
      const failures = Effect.map(survey, ({ workers }) =>
        workers.flatMap((worker) => worker.failures)
      )
      const detail = "the model does not load"
      const reason = Failure.cases.EngineRefused.make({ detail })
      yield* script({ transcribe: Effect.fail(new TranscriberError({ reason })) })
      yield* Layer.build(reporting)
      yield* submit(principal, {})
      yield* submit(principal, {})
      yield* pass(30)
      const count = { task: "Transcribe", reason: "EngineRefused", count: 2 }
      assert.deepStrictEqual(yield* failures, [count])
      yield* TestClock.adjust("1 hour")
      yield* pass(15)
      assert.deepStrictEqual(yield* failures, [])
    })
  )
})

describe("Counts of ended jobs", () => {
  it.effect("keep their last values while the store does not respond", () =>
    withCaller(function* () {
      const from = DateTime.startOf(yield* DateTime.now, "hour")
      let failures = 0
      let ended: WorkerRegistry["Service"]["ended"] = Effect.suspend(() => {
        failures += 1
        return new WorkerRegistryError({ operation: "ended", cause: "the database is busy" })
      })
      const registry = Layer.effect(
        WorkerRegistry,
        Effect.map(WorkerRegistry, (all) => ({ ...all, ended: Effect.suspend(() => ended) }))
      )
      const overviews = Layer.provide(Heartbeat.WorkerOverviews.layer, registry)
      const { survey } = Context.get(yield* Layer.build(overviews), Heartbeat.WorkerOverviews)
      const completed = Effect.map(survey, ({ hours }) => hours.map((hour) => hour.completed))
      const others = Array.makeBy(23, () => 0)
      assert.deepStrictEqual(yield* completed, [])
      yield* TestClock.adjust("50 seconds")
      assert.deepStrictEqual(yield* completed, [])
      assert.strictEqual(failures, 1)
      ended = Effect.succeed([{ from, completed: 3, failed: 0 }])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* completed, [...others, 3])
      ended = Effect.never
      yield* TestClock.adjust("1 minute")
      const waiting = yield* Effect.forkChild(completed)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(waiting), [...others, 3])
      // Nothing is known about the two hours that have begun since.
      yield* TestClock.adjust("2 hours")
      const later = yield* Effect.forkChild(completed)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(later), [...others.slice(2), 3])
    })
  )
})

describe("A paused task", () => {
  it.effect("begins in no process until it is resumed, but running attempts continue", () =>
    withCaller(function* (principal) {
      yield* script({ transcribe: Effect.delay(calmScript.transcribe, "30 seconds") })
      yield* Layer.build(Layer.merge(reporting, reporting))
      const running = yield* submit(principal, {})
      yield* pass(2)
      yield* pause("Transcribe")
      yield* pass(10)
      const waiting = yield* submit(principal, { summary: "brief" })
      yield* pass(60)
      assert.strictEqual((yield* look(principal, running)).transcription_status, "COMPLETED")
      assert.strictEqual((yield* look(principal, waiting)).transcription_status, "IN_QUEUE")
      yield* pause("Summarize")
      yield* pass(60)
      const { summary_status, transcription_status } = yield* look(principal, waiting)
      assert.deepStrictEqual([transcription_status, summary_status], ["COMPLETED", "PENDING"])
      yield* pause()
      yield* pass(15)
      assert.strictEqual((yield* look(principal, waiting)).summary_status, "COMPLETED")
    })
  )

  it.effect("does not begin in a worker that starts during the pause", () =>
    withCaller(function* () {
      const entries = Effect.flatMap(JobStore, (store) => store.history(jobId(1)))
      yield* insertJob(makePendingJob(1, { kind: "Deliver", dueAt: yield* DateTime.now }))
      yield* pause("Deliver")
      yield* Layer.build(Layer.provide(reporting, slowRegistry))
      yield* pass(60)
      assert.lengthOf(yield* entries, 1)
      yield* pause()
      yield* pass(15)
      assert.isAbove((yield* entries).length, 1)
    })
  )
})
