/** Tests that SQL claims skip rows of newer versions, and shorten leases that are too long. */
import { assert, describe, it } from "@effect/vitest"
import { layer as stores } from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { leaseDuration } from "@verbatim/core/ports"
import {
  claimIds,
  foundFirst,
  insertJob,
  instant,
  jobId,
  leaseToken,
  makeUploadJob,
  upTo,
  withWorkspace
} from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { advance, onServer } from "../postgres/TemporarySchema.ts"

const [first, second] = [leaseToken(1), leaseToken(2)]

/** More rows than a claim reads at once, so that it visits the workspaces one by one. */
const long = 140

/** Gives all rows with an odd number the format of a later version. */
const leavesNewerRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* foundFirst
  yield* Effect.forEach(upTo(4), (number) => insertJob(makeUploadJob(number)))
  yield* sql`UPDATE verbatim_work SET format = 1000 WHERE job_id IN (${jobId(1)}, ${jobId(3)})`
  assert.deepStrictEqual(yield* claimIds(first), [2, 4].map(jobId))
  yield* Effect.forEach(upTo(long), (number) => insertJob(makeUploadJob(10 + number)))
  const claimed = yield* claimIds(first, { kinds: ["Transcribe"], limit: 3 })
  assert.deepStrictEqual(claimed, [11, 12, 13].map(jobId))
})

/** Moves the clock forward, back by a minute and a half, and forward again. */
const cutsLeases = <E, R>(move: (duration: Duration.Duration) => Effect.Effect<unknown, E, R>) =>
  withWorkspace(function* () {
    yield* insertJob(makeUploadJob(1))
    yield* move(Duration.minutes(2))
    assert.deepStrictEqual(yield* claimIds(first), [jobId(1)])
    yield* move(Duration.seconds(-90))
    assert.deepStrictEqual(yield* claimIds(second), [])
    yield* move(leaseDuration)
    assert.deepStrictEqual(yield* claimIds(second), [jobId(1)])
  })

const onSqlite = Layer.provideMerge(stores(), SqliteClient.layer({ filename: ":memory:" }))

const setClock = TestClock.setTime(DateTime.toEpochMillis(instant))

const moveClock = (duration: Duration.Duration) =>
  Effect.flatMap(DateTime.now, (now) =>
    TestClock.setTime(DateTime.toEpochMillis(now) + Duration.toMillis(duration))
  )

/**
 * Runs a test on SQLite. The store's sweeps use the live clock, because the test clock jumps to the
 * year of the samples and would start a sweep for every minute in between.
 */
const overSqlite = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof onSqlite>>) =>
  Effect.gen(function* () {
    const context = yield* TestClock.withLive(Layer.build(onSqlite))
    yield* setClock
    yield* Effect.provideContext(test, context)
  }).pipe(Effect.scoped)

describe("a claim on SQLite", () => {
  it.effect("leaves rows of a later version unchanged", () => overSqlite(leavesNewerRows))

  it.effect("does not let a lease last longer after the clock was set back", () =>
    overSqlite(cutsLeases(moveClock))
  )
})

describe("a claim on Postgres", () => {
  it.live("leaves rows of a later version unchanged", () =>
    leavesNewerRows.pipe(Effect.provide(onServer))
  )

  it.live("does not let a lease last longer after the clock was set back", () =>
    cutsLeases(advance).pipe(Effect.provide(onServer))
  )
})
