/** Recordings that are recognised in pieces survive the death of their process. */
import { assert, describe, it } from "@effect/vitest"
import { FakeEngines } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { sampleRate } from "#src/domain/transcription/DecodedAudio"
import { placePiece } from "#src/domain/transcription/Piece"
import { JobStore } from "#src/ports/JobStore"
import type { Recognised, SampleRange } from "#src/ports/Transcriber"
import { look, pass, submit, withCaller, withWorker } from "../world/caller.ts"
import { supervisor } from "../world/processes.ts"

const seconds = (from: number, to: number): SampleRange => ({
  from: from * sampleRate,
  to: to * sampleRate
})

/** Two minutes in four pieces. */
const cut = [seconds(0, 30), seconds(30, 60), seconds(60, 90), seconds(90, 120)]

/** An engine that recognises pieces, calls a hook before each, and counts them. */
const recogniseInPieces = Effect.fnUntraced(function* (
  before: (index: number, times: number) => Effect.Effect<unknown> = () => Effect.void
) {
  const engines = yield* FakeEngines
  const recognised: Array<number> = []
  const recognise = Effect.gen(function* () {
    const recognition = (yield* engines.asked).at(-1)
    const recognisePieces = recognition?.recognisePieces
    if (recognisePieces === undefined) return yield* Effect.die("there are no pieces")
    const results = yield* recognisePieces({
      cut,
      settings: JSON.stringify([recognition?.language]),
      recognise: ({ from }) =>
        Effect.gen(function* () {
          const index = from / sampleRate / 30
          const times = recognised.filter((each) => each === index).length
          recognised.push(index)
          yield* Effect.sleep("1 seconds")
          yield* before(index, times)
          return { segments: [{ startMillis: 0, endMillis: 900, text: `piece ${index}` }] }
        })
    })
    const segments = results.flatMap((result, index) =>
      placePiece({ startMillis: index * 30_000, endMillis: (index + 1) * 30_000, result })
    )
    return {
      engine: "fake",
      language: "en",
      segments: segments.map((segment) => ({ ...segment, speaker: "speaker_0" }))
    } satisfies Recognised
  })
  yield* engines.script({ transcribe: recognise })
  return recognised
})

describe("A recording in pieces", () => {
  it.effect("resumes after the stored pieces when its process dies", () =>
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

  it.effect("fails when its process dies at the same piece again and again", () =>
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
