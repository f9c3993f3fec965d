/** Tests which callers wait for the locks of a host transaction. */
import { assert, describe, it } from "@effect/vitest"
import { layer, PostgresClient } from "@verbatim/adapters/postgres"
import { HostTransaction } from "@verbatim/adapters/sql"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { type Creation, JobStore, JobStoreError, withLockDeadline } from "@verbatim/core/ports"
import {
  creation,
  foundFirst,
  foundWorkspace,
  instant,
  jobId,
  makeUploadJob,
  upTo,
  workspaceId
} from "@verbatim/testkit/samples"
import { Clock, Duration, Effect, Fiber, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { newSchema } from "./TemporarySchema.ts"

/** Builds a job for a workspace, with an idempotency key. */
const keyed = (number: number, key: string, owner = 1): Creation => {
  const job = makeUploadJob(number, { workspaceId: workspaceId(owner) })
  return creation(job, {
    key: IdempotencyKey.make(key),
    fingerprint: key,
    jobId: job.id,
    at: instant
  })
}

/** Builds a job for a workspace that has a high limit on unfinished jobs. */
const limited = (number: number): Creation => ({
  ...creation(makeUploadJob(number)),
  unfinishedMax: { workspace: 1_000, key: null }
})

const insert = (wanted: Creation) => Effect.flatMap(JobStore, (store) => store.insert(wanted))

/** Jobs that a host submits, and how its transaction ends. */
interface Held {
  readonly url: Redacted.Redacted
  readonly jobs: ReadonlyArray<Creation>
  readonly end?: "COMMIT" | "ROLLBACK"
}

/** Submits jobs as a host does, and keeps the transaction open while an effect runs. */
const holding = Effect.fnUntraced(function* <A, E, R>(
  { url, jobs, end = "COMMIT" }: Held,
  during: Effect.Effect<A, E, R>
) {
  const transactions = yield* HostTransaction
  const client = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = new pg.Client({ connectionString: Redacted.value(url) })
      await opened.connect()
      await opened.query("BEGIN")
      return opened
    }),
    (opened) => Effect.promise(() => opened.end())
  )
  for (const job of jobs) yield* transactions.within(client)(insert(job))
  const outcome = yield* during
  yield* Effect.promise(() => client.query(end))
  return outcome
}, Effect.scoped)

/** Runs an effect with stores that let callers wait no longer than the given time. */
const withStores = <A, E, R>(
  statementTimeout: Duration.Duration,
  test: (url: Redacted.Redacted) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const config = yield* newSchema
    return yield* Effect.andThen(foundFirst, test(config.url)).pipe(
      Effect.provide(layer({ ...config, statementTimeout }))
    )
  })

/** More keys than a process has sessions. */
const held = upTo(12).map((number) => `held-${number}`)

/** Returns a caller's error, and how long it took. */
const refusalOf = Effect.fnUntraced(function* (wanted: Creation) {
  const from = yield* Clock.monotonicTimeNanos
  const error = yield* Effect.flip(insert(wanted))
  const waited = Number((yield* Clock.monotonicTimeNanos) - from)
  return { waited, reason: error instanceof JobStoreError ? error.reason._tag : "other" }
})

describe("a job submitted in a host's uncommitted transaction", () => {
  it.live("does not delay users of other keys, even if many requests use its own key", () =>
    withStores(Duration.minutes(10), (url) =>
      Effect.gen(function* () {
        yield* foundWorkspace(2)
        const jobs = held.map((key, index) => keyed(1 + index, key))
        const waiting = yield* holding(
          { url, jobs },
          Effect.gen(function* () {
            const repeats = yield* Effect.forEach(held, (key, index) =>
              // The requests are sent one at a time, so that each is a separate statement.
              Effect.andThen(
                Effect.sleep("20 millis"),
                Effect.forkChild(insert(keyed(100 + index, key)))
              )
            )
            // These requests succeed although the other keys are locked.
            yield* Effect.forEach(upTo(20), (number) =>
              insert(keyed(200 + number, `new-${number}`, 2))
            )
            yield* Effect.forEach(upTo(20), (number) =>
              insert(creation(makeUploadJob(300 + number)))
            )
            return repeats
          })
        )
        const found = yield* Effect.forEach(waiting, Fiber.join)
        assert.deepStrictEqual(
          found.map((record) => Option.getOrThrow(record).key),
          held.map((key) => IdempotencyKey.make(key))
        )
      })
    )
  )

  it.live("lets one of the waiting requests create the job if it is rolled back", () =>
    withStores(Duration.minutes(10), (url) =>
      Effect.gen(function* () {
        const waiting = yield* holding(
          { url, jobs: [keyed(1, "k")], end: "ROLLBACK" },
          Effect.forEach([2, 3], (number) => Effect.forkChild(insert(keyed(number, "k"))))
        )
        const [first, second] = yield* Effect.forEach(waiting, Fiber.join)
        const [creator, made] =
          first === undefined || Option.isNone(first) ? [2, second] : [3, first]
        assert.deepStrictEqual(made, keyed(creator, "k").idempotency)
      })
    )
  )

  it.live("lets a waiting host transaction create its own job if it is rolled back", () =>
    withStores(Duration.minutes(10), (url) =>
      Effect.gen(function* () {
        const submit = (number: number, key: string) =>
          holding({ url, jobs: [keyed(number, key)] }, Effect.void)
        const waiting = yield* holding(
          { url, jobs: [keyed(1, "k")], end: "ROLLBACK" },
          Effect.gen(function* () {
            const second = yield* Effect.forkChild(submit(2, "k"))
            // Host transactions with other keys do not wait.
            yield* Effect.forEach([3, 4], (number) => submit(number, `other-${number}`))
            assert.isUndefined(second.pollUnsafe())
            return second
          })
        )
        yield* Fiber.join(waiting)
        const { find } = yield* JobStore
        const found = yield* Effect.filter(upTo(4), (number) =>
          Effect.map(find(workspaceId(1), jobId(number)), Option.isSome)
        )
        assert.deepStrictEqual(found, [2, 3, 4])
      })
    )
  )

  const behind = {
    "in a workspace with a limit": { job: limited(1), wanted: (number: number) => limited(number) },
    "under one key": { job: keyed(1, "k"), wanted: (number: number) => keyed(number, "k") }
  }
  for (const [where, { job, wanted }] of Object.entries(behind)) {
    it.live(`makes all callers ${where} fail as contended after the same time`, () =>
      withStores(Duration.seconds(1), (url) =>
        Effect.gen(function* () {
          const callers = Effect.forEach(upTo(5), (number) => refusalOf(wanted(10 + number)), {
            concurrency: "unbounded"
          })
          const refusals = yield* holding({ url, jobs: [job] }, callers)
          assert.deepStrictEqual([...new Set(refusals.map(({ reason }) => reason))], ["Contended"])
          const waits = refusals.map(({ waited }) => waited)
          assert.isBelow(Math.max(...waits), 2 * Math.min(...waits))
        })
      )
    )
  }
})

describe("a transaction on Postgres", () => {
  const lockTimeout = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.map(
        sql<{ readonly millis: number }>`SELECT setting::bigint AS millis FROM pg_settings
          WHERE name = 'lock_timeout'`,
        ([row]) => row?.millis ?? 0
      )
    )
  )

  it.live("waits for locks no longer than its caller's deadline", () =>
    Effect.gen(function* () {
      const client = PostgresClient.layer({
        ...(yield* newSchema),
        statementTimeout: Duration.minutes(1)
      })
      const [own, early, tardy] = yield* Effect.all([
        lockTimeout,
        withLockDeadline(Duration.minutes(1))(lockTimeout),
        withLockDeadline(Duration.seconds(20))(lockTimeout)
      ]).pipe(Effect.provide(client))
      assert.deepStrictEqual([own, early], [48_000, 48_000])
      assert.isBelow(tardy, 20_000)
      assert.isAbove(tardy, 0)
    })
  )
})
