/** A circuit closes only after a response from its dependency. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Failure } from "#src/domain/attempt/Failure"
import { TranscriberError } from "#src/ports/Transcriber"
import { Ending } from "#src/worker/AttemptEnd"
import { makeCircuits } from "#src/worker/Circuits"
import { Worker } from "#src/worker/Worker"
import { look, pass, script, submit, withWorker } from "../world/caller.ts"

const away = Failure.cases.EngineUnavailable.make({ detail: "503" })
const defect = Failure.cases.EngineFailed.make({ detail: "a defect" })
const noise = Failure.cases.MediaUndecodable.make({ detail: "noise" })
const unstored = Failure.cases.StorageFailed.make({ detail: "no balance" })

/** Makes circuits, and opens the task's circuit until it is due for a trial. */
const opened = Effect.fnUntraced(function* (
  ...[task, failure]: ["Deliver" | "Transcribe", Failure]
) {
  const circuits = yield* makeCircuits
  yield* circuits.end(circuits.begin(task), Ending.Failed({ failure }))
  yield* TestClock.adjust("1 seconds")
  return circuits
})

describe("A circuit", () => {
  it.effect("stays open for an engine after an attempt that did not reach the engine", () =>
    Effect.gen(function* () {
      const circuits = yield* opened("Transcribe", away)
      const fetch = circuits.begin("Fetch")
      yield* circuits.end(fetch, Ending.Succeeded())
      assert.lengthOf(circuits.outages(), 1)
      for (const ending of [Ending.Failed({ failure: noise }), Ending.Unjudged()]) {
        const trial = circuits.begin("Transcribe")
        assert.isTrue(trial.isTrial)
        yield* circuits.end(trial, ending)
        assert.lengthOf(circuits.outages(), 1)
        // The attempt proved nothing about the engine, so another trial can begin immediately.
        assert.strictEqual(circuits.state("Transcribe"), "Trial")
      }
      yield* circuits.end(circuits.begin("Transcribe"), Ending.Succeeded())
      assert.lengthOf(circuits.outages(), 0)
    })
  )

  it.effect("stays open for the database after a webhook attempt could not begin", () =>
    Effect.gen(function* () {
      const circuits = yield* opened("Deliver", unstored)
      const trial = circuits.begin("Deliver")
      yield* circuits.end(trial, Ending.NotBegun({ failure: defect }))
      assert.lengthOf(circuits.outages(), 1)
    })
  )

  it.effect("stays open for an engine after an attempt that died with a defect", () =>
    withWorker(function* (principal) {
      const { activity } = yield* Worker
      yield* script({ transcribe: new TranscriberError({ reason: away }) })
      const job = yield* submit(principal, {})
      yield* pass(1)
      let deaths = 0
      const decode = Effect.suspend(() => {
        deaths += 1
        return Effect.die("a defect before the engine is asked")
      })
      yield* script({ decode })
      yield* pass(4)
      assert.strictEqual(deaths, 1)
      assert.lengthOf((yield* activity).outages, 1)
      yield* script(calmScript)
      yield* pass(75)
      assert.lengthOf((yield* activity).outages, 0)
      assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
    })
  )
})
