import { assert, describe, it } from "@effect/vitest"
import { jobId, upTo } from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Layer, Logger, Stream } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import { MediaRetention } from "#src/domain/job/MediaRetention"
import { jobIdOf, type MediaKey, makeMediaKey } from "#src/domain/transcription/MediaKey"
import { MediaStore, MediaStoreError } from "#src/ports/MediaStore"
import { Jobs } from "#src/services/jobs/Jobs"
import * as MediaCollection from "#src/worker/MediaCollection"
import { work } from "../services/retention/OldJobs.ts"
import { script, stored, submit, undecodable, withCaller } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { deployment } from "../world/world.ts"

/** Stores media for a job that was never written. */
const orphan = (number: number) =>
  makeMediaKey({ jobId: jobId(number), attempt: 0, extension: ".mp3" })

const left = (key: MediaKey) =>
  Effect.flatMap(MediaStore, ({ put }) =>
    put({ key, content: Stream.succeed(new Uint8Array(8)), byteMax: 8 })
  )

describe("MediaCollection", () => {
  it.effect("removes media that is a day old and not used by an unfinished job", () =>
    withCaller(function* (principal) {
      const { id } = yield* submit(principal, {})
      yield* left(orphan(1))
      yield* Layer.build(MediaCollection.layer)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* stored).length, 2)
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual((yield* stored).map(jobIdOf), [id])
    })
  )

  it.effect("keeps a failed job's media for seven days, in case of a retry", () =>
    withCaller(function* (principal) {
      yield* script({ decode: undecodable })
      yield* submit(principal, {})
      yield* work
      yield* TestClock.adjust("6 days")
      yield* MediaCollection.collect
      assert.lengthOf(yield* stored, 1)
      yield* TestClock.adjust("26 hours")
      yield* MediaCollection.collect
      assert.deepStrictEqual(yield* stored, [])
    })
  )

  // In another project, a sweep stopped after its first hundred files: dograh, PR #478.
  it.effect("continues after the first hundred files, even if all of them are kept", () =>
    withCaller(function* (principal) {
      yield* Effect.forEach(Array(101), () => submit(principal, {}), { discard: true })
      yield* Effect.forEach(upTo(150), (number) => left(orphan(number)), { discard: true })
      yield* TestClock.adjust("25 hours")
      const collect = yield* MediaCollection.make
      yield* collect
      yield* TestClock.adjust(MediaCollection.pause)
      yield* collect
      assert.lengthOf(yield* stored, 101)
    })
  )

  it.effect("warns and waits a day before it removes many files in a single run", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(upTo(21), (number) => left(orphan(number)), { discard: true })
      yield* TestClock.adjust("25 hours")
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const collect = yield* MediaCollection.make
      const collectAloud = Effect.provide(collect, Logger.layer([logger]))
      yield* collectAloud
      yield* TestClock.adjust(Duration.subtract(MediaCollection.pause, Duration.seconds(1)))
      yield* collectAloud
      assert.lengthOf(yield* stored, 21)
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "21 of 21 old recordings")
      yield* TestClock.adjust("1 second")
      yield* collectAloud
      assert.deepStrictEqual(yield* stored, [])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("never removes a recording if its job is older than the database", () =>
    Effect.gen(function* () {
      const made = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
      yield* TestClock.setTime(DateTime.toEpochMillis(made))
      const ids = ["019b76d1-803f-7fff-bfff-ffffffffffff", "019b76da-a800-7000-8000-000000000000"]
      const keys = ids.map((id) =>
        makeMediaKey({ jobId: JobId.make(id), attempt: 0, extension: ".mp3" })
      )
      yield* Effect.gen(function* () {
        yield* Effect.forEach(keys, left)
        yield* TestClock.adjust("25 hours")
        yield* MediaCollection.collect
        assert.deepStrictEqual(yield* stored, keys.slice(0, 1))
      }).pipe(Effect.provide(deployment))
    })
  )

  it.effect("removes no file once the store belongs to another database", () =>
    Effect.gen(function* () {
      const media = yield* MediaStore
      yield* left(orphan(1))
      yield* MediaCollection.collect
      yield* media.mark("of another database", { isReplacing: true })
      yield* TestClock.adjust("25 hours")
      yield* MediaCollection.collect
      assert.deepStrictEqual(yield* stored, [orphan(1)])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("removes all other files if one file cannot be removed", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([1, 2, 3], (number) => left(orphan(number)))
      const stubborn = replace(MediaStore, (media) => ({
        remove: (key) =>
          key === orphan(1)
            ? new MediaStoreError({
                operation: "remove",
                reason: { _tag: "Unavailable", cause: "it is in use" }
              })
            : media.remove(key)
      }))
      yield* TestClock.adjust("25 hours")
      yield* Effect.provide(MediaCollection.collect, stubborn)
      assert.deepStrictEqual(yield* stored, [orphan(1)])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("keeps the file of a job's failed attempt, and removes files of other attempts", () =>
    withCaller(function* (principal) {
      yield* script({ decode: undecodable })
      const { id } = yield* submit(principal, {})
      yield* work
      // The store's response was lost, so a second attempt was made.
      yield* left(makeMediaKey({ jobId: JobId.make(id), attempt: 7, extension: ".mp3" }))
      yield* TestClock.adjust("25 hours")
      yield* MediaCollection.collect
      assert.lengthOf(yield* stored, 1)
      const jobs = yield* Jobs
      yield* jobs.retry(principal, id)
    })
  )

  it.effect("removes only files without a job if the operator keeps media", () =>
    withCaller(function* (principal) {
      const { id } = yield* submit(principal, {})
      yield* work
      // One file is from a job that does not exist, and the other from a superseded attempt.
      const overtaken = makeMediaKey({ jobId: JobId.make(id), attempt: 7, extension: ".mp3" })
      yield* Effect.forEach([orphan(1), overtaken], left)
      yield* Layer.build(MediaCollection.layer)
      yield* TestClock.adjust("50 hours")
      assert.deepStrictEqual((yield* stored).map(jobIdOf), [id])
      assert.notInclude(yield* stored, overtaken)
    }).pipe(Effect.provideService(MediaRetention, { isKept: true, failedFor: Duration.zero }))
  )
})
