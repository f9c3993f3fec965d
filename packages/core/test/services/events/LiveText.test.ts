/** Subscribers receive each segment of a recording once, while the recording is recognised. */
import { assert, describe, it } from "@effect/vitest"
import {
  attemptStarted,
  commitJob,
  later,
  onRetention,
  recognisePiece,
  transcript,
  transcriptProduced,
  upTo
} from "@verbatim/testkit/samples"
import { Duration, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import type { Job } from "#src/domain/job/Job"
import type { StreamMessage } from "#src/domain/job/JobStream"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { JobStore, type JobStoreError, unanswered } from "#src/ports/JobStore"
import { EventStreams } from "#src/services/events/EventStreams"
import { caller, submit } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { front, outside } from "../../world/world.ts"
import { listen } from "./FeedWorld.ts"

const unavailable = unanswered("pieces")

/** A deployment that counts how often pieces are read, and runs a hook before each read. */
const makeWorld = () => {
  const reads = { count: 0, before: Effect.void as Effect.Effect<void, JobStoreError> }
  const counting = replace(JobStore, ({ pieces }) => ({
    pieces: (id, range) =>
      Effect.suspend(() => {
        reads.count += 1
        return Effect.andThen(reads.before, pieces(id, range))
      })
  }))
  const layer = front.pipe(Layer.provideMerge(counting), Layer.provideMerge(outside))
  return { reads, layer }
}

const begin = Effect.gen(function* () {
  const principal = yield* caller
  const { id } = yield* submit(principal, {})
  const store = yield* JobStore
  const job = yield* Effect.flatMap(
    store.find(principal.workspaceId, JobId.make(id)),
    Effect.fromOption
  )
  return { principal, job: yield* commitJob(job, { events: [attemptStarted()] }) }
})

const followJob = (principal: Principal, { id }: Job, after?: string) =>
  Effect.flatMap(EventStreams, (streams) => streams.followJob(principal, { id, after })).pipe(
    Effect.flatMap(Effect.fromOption)
  )

const followAll = (principal: Principal, after?: string) =>
  Effect.flatMap(EventStreams, (streams) => streams.followAll(principal, after))

const segmentsOf = (messages: ReadonlyArray<StreamMessage>) =>
  messages.flatMap((message) => (message.event === "event" ? (message.data.segments ?? []) : []))

const textOf = (messages: ReadonlyArray<StreamMessage>) =>
  segmentsOf(messages).map(({ text }) => text)

const cursorOf = (messages: ReadonlyArray<StreamMessage>): string | undefined =>
  messages.flatMap((message) => ("cursor" in message ? (message.cursor ?? []) : [])).at(-1)

/** Reads one event per connection, and reconnects until the job is transcribed. */
const readInCuts = Effect.fnUntraced(function* <E, E2, R>(
  follow: (after?: string) => Effect.Effect<Stream.Stream<StreamMessage, E>, E2, R>
) {
  const received: Array<StreamMessage> = []
  while (!JSON.stringify(received.at(-1) ?? {}).includes("transcript_produced")) {
    const events = yield* follow(cursorOf(received)).pipe(
      Effect.map(Stream.filter(({ event }) => event === "event")),
      Effect.flatMap((stream) => Stream.runCollect(Stream.take(stream, 1))),
      Effect.scoped
    )
    received.push(...events)
  }
  return received
})

const poll = TestClock.adjust("1 seconds")

/**
 * Commits pieces in the given order. The text of a piece is its plan and its index, such as `a0`.
 */
const recognise = Effect.fnUntraced(function* (
  job: Job,
  { count, indexes, plan = "a" }: { count: number; indexes: ReadonlyArray<number>; plan?: string }
) {
  let latest = job
  for (const index of indexes) {
    latest = yield* recognisePiece(latest, { count, index, plan, text: `${plan}${index}` })
  }
  return latest
})

describe("The events of a job with pieces", () => {
  it.effect("contain text as soon as it is readable, long before the job ends", () =>
    Effect.gen(function* () {
      const { job, principal } = yield* begin
      const one = yield* listen(yield* followJob(principal, job))
      const all = yield* listen(yield* followAll(principal))
      const first = yield* recognise(job, { count: 4, indexes: [1] })
      yield* poll
      assert.deepStrictEqual(textOf(one.received), [])
      const more = yield* recognise(first, { count: 4, indexes: [0] })
      yield* poll
      for (const { received } of [one, all]) {
        assert.deepStrictEqual(textOf(received), ["a0", "a1"])
        const [event] = received.filter((message) => message.event === "event").slice(-1)
        assert.deepStrictEqual(
          { ...event?.data, at: undefined, revision: undefined },
          {
            id: job.id,
            about: "transcription",
            event: "piece_recognised",
            piece: 0,
            pieces: 4,
            segments: [
              { start: "0.5", end: "29.5", text: "a0" },
              { start: "30.5", end: "59.5", text: "a1" }
            ],
            partial: true,
            at: undefined,
            revision: undefined
          }
        )
      }
      yield* recognise(more, { count: 4, indexes: [2, 3] })
      yield* poll
      for (const { received } of [one, all]) {
        assert.deepStrictEqual(textOf(received), ["a0", "a1", "a2", "a3"])
      }
    }).pipe(Effect.scoped, Effect.provide(makeWorld().layer))
  )

  it.effect("contain each segment once for a subscriber that reconnects more than 50 times", () =>
    Effect.gen(function* () {
      const { job, principal } = yield* begin
      const readers = yield* Effect.forEach(
        [
          (after?: string) => followJob(principal, job, after),
          (after?: string) => followAll(principal, after)
        ],
        (follow) => Effect.forkScoped(readInCuts(follow))
      )
      yield* poll
      const count = 60
      let latest = job
      for (const first of upTo(count / 5).map((each) => 5 * (each - 1))) {
        const indexes = [2, 0, 1, 4, 3].map((each) => first + each)
        latest = yield* recognise(latest, { count, indexes })
        yield* poll
      }
      yield* commitJob(latest, { events: [transcriptProduced()], transcript })
      yield* TestClock.adjust("1 minute")
      for (const reader of readers) {
        const received = yield* Fiber.join(reader)
        assert.isAbove(received.length, 50)
        assert.deepStrictEqual(
          textOf(received),
          upTo(count).map((each) => `a${each - 1}`)
        )
      }
    }).pipe(Effect.scoped, Effect.provide(makeWorld().layer))
  )

  it.effect("contain no text from pieces that were deleted or replaced under another plan", () =>
    Effect.gen(function* () {
      const { job, principal } = yield* begin
      const first = yield* recognise(job, { count: 2, indexes: [0, 1] })
      const second = yield* recognise(first, { count: 2, indexes: [0, 1], plan: "b" })
      const replaced = yield* listen(yield* followJob(principal, job))
      yield* poll
      assert.deepStrictEqual(textOf(replaced.received), ["b0", "b1"])
      const ended = yield* commitJob(second, { events: [transcriptProduced()], transcript })
      yield* commitJob(ended, {
        events: [onRetention("TranscriptExpired", later(9))],
        forgotten: { history: [] }
      })
      const deleted = yield* listen(yield* followJob(principal, job))
      yield* poll
      assert.deepStrictEqual(textOf(deleted.received), [])
      assert.include(JSON.stringify(deleted.received), "piece_recognised")
    }).pipe(Effect.scoped, Effect.provide(makeWorld().layer))
  )
})

describe("Waiting for the status of a job with pieces", () => {
  it.effect("continues when a piece is recognised", () =>
    Effect.gen(function* () {
      const { job, principal } = yield* begin
      const { awaitStatus } = yield* EventStreams
      const atMost = Duration.minutes(1)
      const waiting = yield* Effect.forkScoped(awaitStatus(principal, { id: job.id, atMost }))
      yield* poll
      const recognised = yield* recognise(job, { count: 2, indexes: [0, 1] })
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* commitJob(recognised, { events: [transcriptProduced()], transcript })
      yield* TestClock.adjust("2 seconds")
      assert.isDefined(waiting.pollUnsafe())
    }).pipe(Effect.scoped, Effect.provide(makeWorld().layer))
  )
})

describe("The text of a piece", () => {
  it.effect(
    "is read once for all subscribers to a job, and once for all subscribers to its workspace",
    () => {
      const { layer, reads } = makeWorld()
      return Effect.gen(function* () {
        const { job, principal } = yield* begin
        const follow = Effect.forEach(upTo(20), (each) =>
          Effect.flatMap(each % 2 === 0 ? followJob(principal, job) : followAll(principal), listen)
        )
        const readers = yield* follow
        yield* poll
        yield* recognise(job, { count: 2, indexes: [0, 1] })
        yield* poll
        for (const { received } of readers) assert.deepStrictEqual(textOf(received), ["a0", "a1"])
        assert.strictEqual(reads.count, 4)
      }).pipe(Effect.scoped, Effect.provide(layer))
    }
  )

  it.effect(
    "is read again for new subscribers if a read failed and ended the earlier streams",
    () => {
      const { layer, reads } = makeWorld()
      return Effect.gen(function* () {
        const { job, principal } = yield* begin
        const first = yield* listen(yield* followAll(principal))
        const second = yield* listen(yield* followAll(principal))
        yield* poll
        reads.before = Effect.andThen(
          Effect.sync(() => {
            reads.before = Effect.void
          }),
          Effect.fail(unavailable)
        )
        yield* recognise(job, { count: 1, indexes: [0] })
        yield* poll
        assert.strictEqual((yield* Effect.flip(Fiber.join(first.fiber)))._tag, "JobStoreError")
        const after = cursorOf(second.received)
        const third = yield* listen(yield* followAll(principal, after))
        yield* poll
        assert.deepStrictEqual(textOf(third.received), ["a0"])
      }).pipe(Effect.scoped, Effect.provide(layer))
    }
  )
})
