/** Recordings that are recognised in pieces survive the death of their process. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { JobStore } from "#src/ports/JobStore"
import { look, pass, submit, withCaller, withWorker } from "../world/caller.ts"
import { cut, recogniseInPieces } from "../world/pieces.ts"
import { supervisor } from "../world/processes.ts"

describe("A recording in pieces", () => {
  it.effect("resumes after the stored pieces if its process dies", () =>
    withCaller(function* (principal) {
      const { deaths, kill, start } = yield* supervisor
      const recognised = yield* recogniseInPieces((index, times) =>
        index === 2 && times === 0 ? kill : Effect.void
      )
      yield* start
      const job = yield* submit(principal, {})
      yield* pass(120)
      const view = yield* look(principal, job)
      assert.strictEqual(view.transcription_status, "COMPLETED")
      assert.strictEqual(deaths(), 1)
      assert.deepStrictEqual(recognised, [0, 1, 2, 2, 3])
      assert.strictEqual(view.output?.list.length, 4)
    })
  )

  it.effect("completes however often its process dies, if each attempt recognises a piece", () =>
    withCaller(function* (principal) {
      const { deaths, kill, start } = yield* supervisor
      const recognised = yield* recogniseInPieces((index, times) =>
        index > 0 && times < 2 ? kill : Effect.void
      )
      yield* start
      const job = yield* submit(principal, {})
      yield* pass(600)
      assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
      assert.strictEqual(deaths(), 6)
      assert.strictEqual(recognised.length, cut.length + 6)
    })
  )

  it.effect("fails if its process dies repeatedly at the same piece", () =>
    withCaller(function* (principal) {
      const { kill, start } = yield* supervisor
      yield* recogniseInPieces((index) => (index === 2 ? kill : Effect.void))
      yield* start
      const job = yield* submit(principal, {})
      yield* pass(600)
      assert.strictEqual((yield* look(principal, job)).transcription_status, "FAILED")
    })
  )

  it.effect("is not recognised again in another job, except with other settings", () =>
    withWorker(function* (principal) {
      const recognised = yield* recogniseInPieces()
      yield* submit(principal, {})
      yield* pass(20)
      const repeat = yield* submit(principal, {})
      yield* pass(20)
      assert.strictEqual((yield* look(principal, repeat)).transcription_status, "COMPLETED")
      assert.deepStrictEqual(recognised, [0, 1, 2, 3])
      yield* submit(principal, { language: "de" })
      yield* pass(20)
      assert.strictEqual(recognised.length, 2 * cut.length)
    })
  )

  it.effect("is charged once, and has each piece once in its history", () =>
    withCaller(function* (principal) {
      const { kill, start } = yield* supervisor
      yield* recogniseInPieces((index, times) => (index === 1 && times === 0 ? kill : Effect.void))
      yield* start
      const job = yield* submit(principal, {})
      yield* pass(120)
      const history = yield* Effect.flatMap(JobStore, (store) => store.history(JobId.make(job.id)))
      const pieces = history.flatMap(({ events }) =>
        events.flatMap(({ event }) => (event._tag === "PieceRecognised" ? event.index : []))
      )
      assert.deepStrictEqual(pieces, [0, 1, 2, 3])
      assert.strictEqual((yield* look(principal, job)).balance_minutes, "598.00")
    })
  )
})
