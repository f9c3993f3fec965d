/**
 * Tests calls with the parameter `stream`, which receive text while the recording is recognised.
 */
import { assert, describe, it } from "@effect/vitest"
import {
  attemptStarted,
  commitJob,
  recognisePiece,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import type { Job } from "#src/domain/job/Job"
import type { SpeechEvent } from "#src/domain/speech/SpeechAnswer"
import { JobStore } from "#src/ports/JobStore"
import { SpeechCalls } from "#src/services/intake/SpeechCalls"
import { recordingParts, withCaller } from "../../world/caller.ts"

/** Begins a streamed call, and records its events as they arrive. */
const begin = Effect.fnUntraced(function* (
  principal: Parameters<SpeechCalls["Service"]["events"]>[0],
  form = "json"
) {
  const calls = yield* SpeechCalls
  const parameters = { model: "whisper-1", response_format: form, stream: "true" }
  const call = yield* calls.accept(principal, {
    isTextual: true,
    parts: recordingParts(parameters)
  })
  const { find } = yield* JobStore
  const found = yield* find(principal.workspaceId, JobId.make(call.jobId))
  const job = yield* Effect.fromOption(found)
  const received: Array<SpeechEvent> = []
  const fiber = yield* Effect.forkScoped(
    Stream.runForEach(calls.events(principal, call), (event) =>
      Effect.sync(() => received.push(event))
    )
  )
  yield* TestClock.adjust("1 seconds")
  return { received, fiber, job: yield* commitJob(job, { events: [attemptStarted()] }) }
})

const recognise = Effect.fnUntraced(function* (
  job: Job,
  texts: ReadonlyArray<readonly [index: number, text: string]>,
  plan = "a"
) {
  let latest = job
  for (const [index, text] of texts) {
    latest = yield* recognisePiece(latest, { count: 3, index, plan, text })
  }
  yield* TestClock.adjust("2 seconds")
  return latest
})

const complete = (job: Job, ...texts: ReadonlyArray<string>) => {
  const segments = texts.map((text, index) => ({
    startMillis: 30_000 * index,
    endMillis: 30_000 * index + 9_000,
    speaker: `speaker_${index % 2}`,
    text
  }))
  const transcript = { durationMillis: 90_000, language: "en", segments }
  return Effect.andThen(
    commitJob(job, { events: [transcriptProduced()], transcript }),
    TestClock.adjust("2 seconds")
  )
}

const deltasOf = (events: ReadonlyArray<SpeechEvent>) =>
  events.flatMap((event) => (event.type === "transcript.text.delta" ? [event.delta] : []))

const done = (text: string): SpeechEvent => ({ type: "transcript.text.done", text })

describe("A streamed call", () => {
  it.effect(
    "receives the text while the recording is recognised, and then the rest of the text",
    () =>
      withCaller(function* (principal) {
        const { fiber, job, received } = yield* begin(principal)
        const gap = yield* recognise(job, [[1, "two."]])
        assert.deepStrictEqual(received, [])
        const two = yield* recognise(gap, [[0, "One and"]])
        assert.deepStrictEqual(deltasOf(received), ["One and two."])
        yield* complete(two, "One and", "two.", "Three.")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(deltasOf(received).join(""), "One and two. Three.")
        assert.deepStrictEqual(received.at(-1), done("One and two. Three."))
      })
  )

  it.effect(
    "receives the whole transcript at the end if it differs from the text sent before",
    () =>
      withCaller(function* (principal) {
        const { fiber, job, received } = yield* begin(principal)
        const first = yield* recognise(job, [[0, "One."]])
        const other = yield* recognise(first, [[0, "Eins."]], "b")
        yield* complete(other, "Eins.", "Zwei.")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(deltasOf(received), ["One."])
        assert.deepStrictEqual(received.at(-1), done("Eins. Zwei."))
      })
  )
})
