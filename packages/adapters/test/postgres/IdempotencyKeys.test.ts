/** Tests idempotency keys on Postgres while several transactions use them. */
import { assert, describe, it } from "@effect/vitest"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import { JobStore, PresetStore } from "@verbatim/core/ports"
import type { PresetDraft } from "@verbatim/core/preset"
import {
  creation,
  instant,
  jobId,
  makeDraft,
  makeUploadJob,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Effect, Fiber, Option, Result, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { onPatientServer, onServer } from "./TemporarySchema.ts"

const record = (number: number, at: DateTime.Utc): IdempotencyRecord => ({
  key: IdempotencyKey.make(`order-${number}`),
  fingerprint: "0".repeat(64),
  jobId: jobId(number),
  at
})

const submitted = (number: number, under: IdempotencyRecord) =>
  Effect.flatMap(JobStore, (store) => store.insert(creation(makeUploadJob(number), under)))

const recorded = (number: number) =>
  Effect.flatMap(JobStore, (store) =>
    store.idempotency(workspaceId(1), IdempotencyKey.make(`order-${number}`))
  )

const old = DateTime.subtract(instant, { days: 400 })

/** Waits until there are the given number of keys. */
const until = (count: number, table = "verbatim_idempotency_keys") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT count(*) AS count FROM ${sql(table)}`, ([row]) => row?.count)
  ).pipe(
    Effect.repeat({
      until: (found) => found === count,
      schedule: Schedule.spaced("10 millis")
    }),
    TestClock.withLive
  )

describe("an idempotency key on Postgres", () => {
  it.effect("is deleted after it has expired, unless a request is using it again", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.makeUnsafe(Date.now())
      yield* Effect.forEach(upTo(4), (number) => submitted(number, record(number, old)))
      const { fingerprint, key } = record(1, old)
      const draft = makeDraft(1, { request: Option.some({ fingerprint, key }) })
      yield* Effect.flatMap(PresetStore, ({ append }) => append(draft))
      yield* sql`UPDATE verbatim_preset_keys SET at = 0`
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`UPDATE verbatim_idempotency_keys SET at = ${DateTime.toEpochMillis(now)}
            WHERE key = 'order-2'`
          yield* TestClock.adjust("1 minute")
          // The deletion skips a key that is being used again.
          yield* until(1)
          yield* until(0, "verbatim_preset_keys")
        })
      )
      assert.deepStrictEqual(yield* recorded(2), Option.some(record(2, now)))
      yield* TestClock.adjust("1 minute")
      yield* until(1)
      assert.deepStrictEqual(
        yield* submitted(5, { ...record(5, now), key: record(2, now).key }),
        Option.some(record(2, now))
      )
    }).pipe(Effect.provide(onPatientServer))
  )
})

const under = (key: string): Pick<PresetDraft, "request"> => ({
  request: Option.some({ key: IdempotencyKey.make(key), fingerprint: "0".repeat(64) })
})

const keyed = (number: number, more: Partial<PresetDraft> = {}) =>
  makeDraft(number, { ...under("order-1"), ...more })

/**
 * Waits until the given number of sessions wait for a lock, and returns the kinds of these locks.
 */
const untilBlocked = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  // Look only at sessions on this file's database.
  const waiting = sql<{ readonly locktype: string }>`SELECT locktype FROM pg_locks
    WHERE NOT granted AND pid IN (
      SELECT pid FROM pg_stat_activity WHERE datname = current_database())`
  let rows = yield* waiting
  while (rows.length < count) {
    yield* Effect.yieldNow
    rows = yield* waiting
  }
  return rows.map(({ locktype }) => locktype)
})

/** Locks the preset, begins two writes one after the other, and returns their outcomes. */
const meet = Effect.fnUntraced(function* <E extends { readonly reason: { readonly _tag: string } }>(
  first: Effect.Effect<unknown, E>,
  second: Effect.Effect<unknown, E>
) {
  const sql = yield* SqlClient.SqlClient
  const met = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT 1 FROM verbatim_presets FOR UPDATE`
      // The fibers are detached, so that the writes are not part of this transaction.
      const one = yield* Effect.forkDetach(Effect.result(first))
      yield* untilBlocked(1)
      const other = yield* Effect.forkDetach(Effect.result(second))
      return { fibers: [one, other], locks: yield* untilBlocked(2) }
    })
  )
  const results = yield* Effect.forEach(met.fibers, (fiber) => Fiber.join(fiber))
  const reported = results.map((result) =>
    Result.isSuccess(result) ? "written" : result.failure.reason._tag
  )
  return { reported, locks: met.locks }
})

describe("concurrent writes to one preset on Postgres", () => {
  it.live("wait for each other if they use the same key, with or without a condition", () =>
    withWorkspace(function* () {
      const { append } = yield* PresetStore
      yield* append(makeDraft(1))
      const conditional = append(keyed(2, { condition: { match: "any" } }))
      const { locks, reported } = yield* meet(conditional, append(keyed(3)))
      assert.deepStrictEqual(reported, ["written", "KeyTaken"])
      assert.include(locks, "advisory")
    }).pipe(Effect.provide(onServer))
  )

  it.live("are checked against the earlier version if they use different keys", () =>
    withWorkspace(function* () {
      const { append } = yield* PresetStore
      const { version } = yield* append(makeDraft(1))
      const any = append(keyed(2, { condition: { match: "any" } }))
      const other = { ...under("order-2"), condition: { match: [version.id] } }
      const { reported } = yield* meet(any, append(keyed(3, other)))
      assert.deepStrictEqual(reported, ["written", "ConditionFailed"])
    }).pipe(Effect.provide(onServer))
  )
})
