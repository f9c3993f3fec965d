/** Tests idempotency keys on Postgres while several transactions use them. */
import { assert, describe, it } from "@effect/vitest"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import { JobStore, PresetStore } from "@verbatim/core/ports"
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
import { DateTime, Effect, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { onPatientServer } from "./TemporarySchema.ts"

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
