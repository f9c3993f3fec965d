/** Tests expired idempotency keys in a SQLite file. */
import { assert, describe, it } from "@effect/vitest"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { JobStore } from "@verbatim/core/ports"
import {
  creation,
  jobId,
  makeUploadJob,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { withClient } from "./TemporaryDatabase.ts"

const keyOf = (number: number) => IdempotencyKey.make(`order-${number}`)

const submit = (number: number) =>
  Effect.gen(function* () {
    const { insert } = yield* JobStore
    const record = {
      key: keyOf(number),
      fingerprint: "0".repeat(64),
      jobId: jobId(number),
      at: yield* DateTime.now
    }
    assert.isTrue(Option.isNone(yield* insert(creation(makeUploadJob(number), record))))
  })

/** Returns the numbers of the keys that still exist. */
const kept = Effect.gen(function* () {
  const { idempotency } = yield* JobStore
  const numbers = yield* Effect.filter(upTo(2), (number) =>
    Effect.map(idempotency(workspaceId(1), keyOf(number)), Option.isSome)
  )
  return numbers
})

describe("an idempotency key in a file", () => {
  it.effect("is kept until all keys created while it was valid have expired", () =>
    withWorkspace(function* () {
      yield* submit(1)
      yield* TestClock.adjust("23 hours")
      yield* submit(2)
      yield* TestClock.adjust("24 hours")
      assert.deepStrictEqual(yield* kept, [1, 2])
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual(yield* kept, [2])
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual(yield* kept, [])
    }).pipe(Effect.provide(withClient(":memory:")))
  )
})
