/** The recognition of a recording in pieces continues after the death of its process. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines } from "@verbatim/testkit/fakes"
import { DateTime, Effect, Fiber, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import { Failure } from "#src/domain/attempt/Failure"
import { piecesOf } from "#src/domain/job/JobDetails"
import { dayOf, timeOfDay } from "#src/domain/workspace/Usage"
import type { WorkspaceId } from "#src/domain/workspace/Workspace"
import { JobStore, unanswered } from "#src/ports/JobStore"
import { recogniseUnstored, type SampleRange, TranscriberError } from "#src/ports/Transcriber"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { PieceSettings } from "#src/services/tasks/PieceRecognition"
import { look, pass, submit, withCaller, withWorker } from "../world/caller.ts"
import { cut, recogniseInPieces } from "../world/pieces.ts"
import { supervisor } from "../world/processes.ts"
import { worker } from "../world/world.ts"

const unavailable = new TranscriberError({
  reason: Failure.cases.EngineUnavailable.make({ detail: "it does not answer" })
})

const broken = new TranscriberError({
  reason: Failure.cases.EngineFailed.make({ detail: "it broke" })
})

const refusal = unanswered("commit")

const usageOf = (workspaceId: WorkspaceId) =>
  Effect.gen(function* () {
    const [store, today] = [yield* WorkspaceStore, timeOfDay(dayOf(yield* DateTime.now))]
    const query = { ...today, keyId: null, after: null, limit: 1 }
    return yield* store.usage({ ...query, workspaceId, by: "workspace" })
  })

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

  it.effect(
    "completes however often its process dies, if every fourth attempt recognises a piece",
    () =>
      withCaller(function* (principal) {
        const { deaths, kill, start } = yield* supervisor
        const recognised = yield* recogniseInPieces((index, times) =>
          index > 0 && times < 3 ? kill : Effect.void
        )
        yield* start
        const job = yield* submit(principal, {})
        yield* pass(900)
        assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        assert.strictEqual(deaths(), 9)
        assert.strictEqual(recognised.length, cut.length + 9)
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

  it.effect("is not recognised again in another job unless the settings differ", () =>
    withWorker(function* (principal) {
      const recognised = yield* recogniseInPieces()
      yield* submit(principal, {})
      yield* pass(20)
      const repeat = yield* submit(principal, {})
      yield* pass(20)
      assert.strictEqual((yield* look(principal, repeat)).transcription_status, "COMPLETED")
      assert.deepStrictEqual(recognised, [0, 1, 2, 3])
      const [row] = yield* usageOf(principal.workspaceId)
      assert.deepInclude(row, { jobs: 2, recognised: 4, reused: 4, engineMillis: 4_000 })
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
      const [row] = yield* usageOf(principal.workspaceId)
      assert.deepInclude(row, { jobs: 1, recognised: 4, reused: 0, engineMillis: 4_000 })
    })
  )

  it.effect("is recognised again in another job if each piece depends on the text before it", () =>
    withWorker(function* (principal) {
      const recognised = yield* recogniseInPieces(undefined, { isInContext: true })
      yield* submit(principal, {})
      yield* pass(20)
      yield* submit(principal, {})
      yield* pass(20)
      assert.deepStrictEqual(recognised, [0, 1, 2, 3, 0, 1, 2, 3])
    })
  )

  it.effect("is cut only once after its first piece is stored, unless the settings differ", () =>
    withCaller(function* (principal) {
      const { deaths, kill, start } = yield* supervisor
      const engines = yield* FakeEngines
      const found: Array<string> = []
      const used: Array<ReadonlyArray<SampleRange>> = []
      const transcribe = Effect.gen(function* () {
        const recognition = (yield* engines.recognitions).at(-1)
        const { cutOnce, recognisePieces } = recognition ?? {}
        if (cutOnce === undefined || recognisePieces === undefined) {
          return yield* Effect.die("there are no pieces")
        }
        const settings = deaths() < 3 ? "silence" : "length"
        const find = Effect.sync(() => {
          found.push(settings)
          return cut
        })
        const ranges = yield* cutOnce(settings, find)
        used.push(ranges)
        const recognise = (piece: SampleRange) =>
          deaths() < 4 && piece === ranges[deaths()]
            ? kill
            : Effect.as(Effect.sleep("1 seconds"), { segments: [] })
        yield* recognisePieces({ cut: ranges, settings, recognise })
        return yield* calmScript.transcribe
      })
      yield* engines.script({ transcribe })
      yield* start
      const job = yield* submit(principal, {})
      yield* pass(300)
      assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
      assert.deepStrictEqual(used, [cut, cut, cut, cut, cut])
      // The first process dies in the first piece, before the cut is stored.
      assert.deepStrictEqual(found, ["silence", "silence", "length"])
    })
  )

  it.effect("counts each piece that a second engine recognises again in the same attempt", () =>
    withCaller(function* (principal) {
      const { kill, start } = yield* supervisor
      const engines = yield* FakeEngines
      let attempts = 0
      const transcribe = Effect.gen(function* () {
        const { recognisePieces = recogniseUnstored } = (yield* engines.recognitions).at(-1) ?? {}
        const run = (settings: string, dying: number) =>
          recognisePieces({
            cut,
            settings,
            recognise: (piece) => {
              const result = { segments: [] }
              if (piece === cut[dying]) return attempts === 1 ? kill : Effect.fail(unavailable)
              return Effect.as(Effect.sleep("1 seconds"), result)
            }
          })
        attempts += 1
        // The second attempt tries another engine first, which replaces only the first piece.
        if (attempts === 2) yield* Effect.ignore(run("first engine", 1))
        yield* run("second engine", attempts === 1 ? 3 : -1)
        return yield* calmScript.transcribe
      })
      yield* engines.script({ transcribe })
      yield* start
      const { id } = yield* submit(principal, {})
      yield* pass(120)
      const store = yield* JobStore
      const job = Option.getOrThrow(yield* store.find(principal.workspaceId, JobId.make(id)))
      assert.deepInclude(piecesOf(job), { count: 4, ready: 4, ahead: [] })
    })
  )

  it.effect("ends its attempt if a commit may have failed, and repeats only lost pieces", () =>
    withCaller(function* (principal) {
      const store = yield* JobStore
      const recognised = yield* recogniseInPieces()
      let isDeaf = false
      const deaf = Layer.succeed(JobStore, {
        ...store,
        history: (id) => (isDeaf ? refusal : store.history(id)),
        commit: (commit) => {
          isDeaf ||= commit.piece?.index === 1
          return isDeaf
            ? Effect.andThen(Effect.ignore(store.commit(commit)), refusal)
            : store.commit(commit)
        }
      })
      const scope = yield* Scope.make()
      const settings = Layer.succeed(PieceSettings, { atOnce: 2, areReused: true })
      yield* Layer.buildWithScope(worker.pipe(Layer.provide([deaf, settings])), scope)
      const job = yield* submit(principal, {})
      yield* pass(20)
      isDeaf = false
      yield* pass(60)
      const view = yield* look(principal, job)
      assert.strictEqual(view.transcription_status, "COMPLETED")
      const history = yield* store.history(JobId.make(job.id))
      const pieces = history.flatMap(({ events }) =>
        events.flatMap(({ event }) => (event._tag === "PieceRecognised" ? event.index : []))
      )
      assert.deepStrictEqual(pieces, [0, 1, 2, 3])
      assert.isAtMost(recognised.length, cut.length + 2)
    })
  )

  it.effect("completes even if the engine fails once at each piece", () =>
    withCaller(function* (principal) {
      const engines = yield* FakeEngines
      const failed = new Set<SampleRange>()
      const transcribe = Effect.gen(function* () {
        const { recognisePieces = recogniseUnstored } = (yield* engines.recognitions).at(-1) ?? {}
        yield* recognisePieces({
          cut,
          settings: "a test",
          recognise: (piece) => {
            if (failed.has(piece)) return Effect.succeed({ segments: [] })
            failed.add(piece)
            return Effect.fail(broken)
          }
        })
        return yield* calmScript.transcribe
      })
      yield* engines.script({ transcribe })
      yield* Layer.buildWithScope(worker, yield* Scope.make())
      const job = yield* submit(principal, {})
      yield* pass(120)
      assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
    })
  )

  it.effect("fails if a piece kills every process, even if each attempt cuts differently", () =>
    withCaller(function* (principal) {
      const { kill, start } = yield* supervisor
      const engines = yield* FakeEngines
      let attempts = 0
      const transcribe = Effect.gen(function* () {
        const { recognisePieces = recogniseUnstored } = (yield* engines.recognitions).at(-1) ?? {}
        attempts += 1
        yield* recognisePieces({
          cut,
          settings: `attempt ${attempts}`,
          recognise: (piece) => (piece === cut[2] ? kill : Effect.succeed({ segments: [] }))
        })
        return yield* calmScript.transcribe
      })
      yield* engines.script({ transcribe })
      yield* start
      const job = yield* submit(principal, {})
      yield* pass(600)
      assert.strictEqual((yield* look(principal, job)).transcription_status, "FAILED")
    })
  )
})

describe("Recognising pieces concurrently", () => {
  it.effect("completes the pieces in progress after a failure, but begins no others", () =>
    Effect.gen(function* () {
      const [begun, completed]: [Array<number>, Array<number>] = [[], []]
      const run = recogniseUnstored({
        atOnce: 2,
        cut,
        settings: "a test",
        recognise: (piece) => {
          const index = cut.indexOf(piece)
          begun.push(index)
          if (index === 0) return Effect.delay(Effect.fail(unavailable), "500 millis")
          return Effect.as(
            Effect.delay(
              Effect.sync(() => completed.push(index)),
              "1 seconds"
            ),
            {
              segments: []
            }
          )
        }
      })
      const fiber = yield* Effect.forkChild(Effect.flip(run))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), unavailable)
      assert.deepStrictEqual(begun, [0, 1])
      assert.deepStrictEqual(completed, [1])
    })
  )
})
