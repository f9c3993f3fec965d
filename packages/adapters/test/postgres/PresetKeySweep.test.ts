/**
 * Tests that a sweep deletes presets' expired idempotency keys while a request reuses one of them.
 */
import { assert, describe, it } from "@effect/vitest"
import { IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import { PresetStore } from "@verbatim/core/ports"
import { makeDraft, upTo, withWorkspace, workspaceId } from "@verbatim/testkit/samples"
import { Effect, type Fiber, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { advance, onServer } from "./TemporarySchema.ts"

const key = (number: number) => IdempotencyKey.make(`order-${number}`)

const keyed = (number: number, keyNumber = number) =>
  Effect.flatMap(PresetStore, (store) =>
    store.append({
      ...makeDraft(number),
      request: Option.some({ key: key(keyNumber), fingerprint: `${number}`.padStart(64, "0") })
    })
  )

const madeNumber = (keyNumber: number) =>
  Effect.flatMap(PresetStore, (store) =>
    Effect.map(
      store.made(workspaceId(1), key(keyNumber)),
      Option.map(({ fingerprint }) => Number(fingerprint))
    )
  )

/** Waits until a call has ended, or is waiting for a locked row. */
const untilEndedOrBlocked = Effect.fnUntraced(function* <A, E>(call: Fiber.Fiber<A, E>) {
  const sql = yield* SqlClient.SqlClient
  while (call.pollUnsafe() === undefined) {
    // Only sessions on this file's database are examined, because other sessions on the server can
    // also wait for locks.
    const waiting = yield* sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    if (waiting.length > 0) return
    yield* Effect.yieldNow
  }
})

/** Creates ten versions, because a process sweeps after every tenth keyed version. */
const untilSwept = Effect.forEach(upTo(10), (number) => keyed(100 + number))

describe("a sweep of expired keys on Postgres", () => {
  it.live("does not wait for a record that is being replaced, but skips it", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* keyed(1)
      yield* advance(keyWindow)
      // Locks the row as a claim of the key would, so that the transaction stays open.
      const isWaiting = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`UPDATE verbatim_preset_keys SET fingerprint = ${"2".padStart(64, "0")},
            at = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE key = ${key(1)}`
          const sweeping = yield* Effect.forkChild(untilSwept)
          yield* untilEndedOrBlocked(sweeping)
          return sweeping.pollUnsafe() === undefined
        })
      )
      assert.isFalse(isWaiting)
      assert.deepStrictEqual(yield* madeNumber(1), Option.some(2))
    }).pipe(Effect.provide(onServer))
  )

  it.live("deletes only expired records", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(upTo(30), (number) => keyed(number))
      yield* advance(keyWindow)
      yield* keyed(31, 1)
      yield* untilSwept
      const [left] = yield* sql<{ readonly count: number }>`
        SELECT count(*)::int AS count FROM verbatim_preset_keys`
      assert.strictEqual(left?.count, 11)
      assert.deepStrictEqual(yield* madeNumber(1), Option.some(31))
    }).pipe(Effect.provide(onServer))
  )
})

describe("a version on Postgres", () => {
  for (const [title, add] of [
    [
      "without a key",
      (number: number) => Effect.flatMap(PresetStore, (s) => s.append(makeDraft(number)))
    ],
    ["under a key", (number: number) => keyed(number)]
  ] as const) {
    it.live(`${title} is one statement`, () =>
      withWorkspace(function* () {
        // A process's first keyed version also sweeps.
        yield* keyed(1)
        const seen: Array<string> = []
        const record: Statement.Transformer = (statement) =>
          Effect.sync(() => {
            seen.push(statement.compile()[0])
            return statement
          })
        yield* Effect.provideService(add(2), Statement.CurrentTransformer, record)
        assert.lengthOf(seen, 1)
      }).pipe(Effect.provide(onServer))
    )
  }
})
