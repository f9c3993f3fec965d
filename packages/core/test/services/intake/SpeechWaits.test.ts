/** Tests calls that wait for their transcripts while the store is unavailable. */
import { assert, describe, it } from "@effect/vitest"
import {
  attemptStarted,
  commitJob,
  transcript,
  transcriptProduced,
  upTo
} from "@verbatim/testkit/samples"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import type { IncomingPart } from "#src/domain/transcription/TranscriptionRequest"
import { JobStore, JobStoreError } from "#src/ports/JobStore"
import { SpeechCalls } from "#src/services/intake/SpeechCalls"
import { caller } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { front, outside } from "../../world/world.ts"

const parts: ReadonlyArray<IncomingPart<never>> = [
  { _tag: "Parameter", name: "model", value: "whisper-1" },
  {
    _tag: "File",
    name: "file",
    filename: "a.wav",
    content: Stream.succeed(Uint8Array.of(1, 2, 3))
  }
]

const refuseTo = (reason: "Unavailable" | "Unreadable") =>
  new JobStoreError({ operation: "find", reason: { _tag: reason, cause: "a test" } })

const unavailable = refuseTo("Unavailable")

/** A deployment with a store that a test can make unavailable. */
const makeLeaving = (refusal = unavailable) => {
  const store = { isAway: false, finds: 0 }
  const leaving = replace(JobStore, ({ changes, find }) => {
    const ask = <A>(question: Effect.Effect<A, JobStoreError>) =>
      Effect.suspend(() => (store.isAway ? Effect.fail(refusal) : question))
    return {
      changes: (query) => ask(changes(query)),
      find: (workspaceId, id) => {
        store.finds += 1
        return ask(find(workspaceId, id))
      }
    }
  })
  const layer = front.pipe(Layer.provideMerge(leaving), Layer.provideMerge(outside))
  return { store, layer }
}

const begin = Effect.gen(function* () {
  const calls = yield* SpeechCalls
  const principal = yield* caller
  const arrival = { isTextual: true, parts: Stream.fromIterable(parts) }
  const call = yield* calls.accept(principal, arrival)
  const { find } = yield* JobStore
  const found = yield* find(principal.workspaceId, JobId.make(call.jobId))
  const job = yield* Effect.fromOption(found)
  const wait = Effect.forkScoped(calls.answer(principal, call))
  const answer = yield* wait
  yield* TestClock.adjust("290 seconds")
  return { answer, job, wait }
})

describe("A waiting call", () => {
  it.effect("causes no store calls of its own, only those that all waiting calls share", () => {
    const { layer, store } = makeLeaving()
    return Effect.gen(function* () {
      const { wait } = yield* begin
      yield* Effect.forEach(upTo(100), () => wait)
      yield* TestClock.adjust("10 seconds")
      store.finds = 0
      yield* TestClock.adjust("4 minutes")
      assert.isAtMost(store.finds, 1)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("continues to wait while the store is unavailable for half a minute", () => {
    const { layer, store } = makeLeaving()
    return Effect.gen(function* () {
      const { answer, job } = yield* begin
      store.isAway = true
      yield* TestClock.adjust("40 seconds")
      store.isAway = false
      const started = yield* commitJob(job, { events: [attemptStarted()] })
      yield* commitJob(started, { events: [transcriptProduced()], transcript })
      yield* TestClock.adjust("1 minute")
      const { body } = yield* Fiber.join(answer)
      assert.include(body, "Hello there.")
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("fails immediately if its job cannot be read", () => {
    const unreadable = refuseTo("Unreadable")
    const { layer, store } = makeLeaving(unreadable)
    return Effect.gen(function* () {
      const { wait } = yield* begin
      store.isAway = true
      const answer = yield* wait
      yield* TestClock.adjust("1 second")
      assert.isDefined(answer.pollUnsafe())
      assert.deepStrictEqual(yield* Effect.flip(Fiber.join(answer)), unreadable)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})
