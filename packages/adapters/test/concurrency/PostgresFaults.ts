/** Faults for Postgres: rows locked by another session, expiring leases, and lost answers. */
import { PostgresClient } from "@verbatim/adapters/postgres"
import { SqlJobStore } from "@verbatim/adapters/sql"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { JobStore } from "@verbatim/core/ports"
import { type Row, Troubles } from "@verbatim/testkit/concurrency"
import { creation, instant, makeUploadJob } from "@verbatim/testkit/samples"
import type { Proxy } from "@verbatim/testkit/servers"
import { Duration, Effect, type Exit, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** A proxy that loses answers until `calm` is called. */
type CalmableProxy = Pick<Proxy, "calm" | "storm">

/** The name under which the stores' sessions appear in Postgres. */
export const applicationName = "verbatim-checked"

/**
 * The number of the first job that is rolled back, which is higher than the number of any other
 * job, and the maximum number of such jobs per process.
 */
const hostsFrom = 2 ** 40
const hostsMax = 1_000

/** Maximum time in which the server ends abandoned statements. No statement can run for longer. */
const settleMillisMax = 20_000
const lookMillis = 20

const make = (proxy: CalmableProxy) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { insert } = yield* JobStore
    let hosts = 0
    /**
     * Writes the rows that a host writes when it submits a job under a key, or in a workspace with
     * a limit.
     */
    const handIn = ({ id, of }: Row) => {
      hosts += 1
      const job = makeUploadJob(hostsFrom + process.pid * hostsMax + (hosts % hostsMax))
      const record = { key: IdempotencyKey.make(id), fingerprint: id, jobId: job.id, at: instant }
      return of === "key"
        ? insert(creation(job, record))
        : insert({ ...creation(job), unfinishedMax: { workspace: 10_000_000, key: null } })
    }
    const holdAsHost = <A, E, R>(row: Row, during: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        let outcome: Exit.Exit<A, E> | undefined
        const held = Effect.andThen(handIn(row), Effect.exit(during)).pipe(
          Effect.tap((exit) => Effect.sync(() => (outcome = exit))),
          Effect.andThen(Effect.fail("rolled back"))
        )
        const fault = yield* Effect.flip(sql.withTransaction(held))
        return yield* outcome ?? Effect.fail(fault)
      })
    const busy = sql<{ readonly count: number }>`SELECT count(*) AS count FROM pg_stat_activity
      WHERE application_name = ${applicationName} AND state <> 'idle'`
    const settled = Effect.repeat(busy, {
      schedule: Schedule.spaced(Duration.millis(lookMillis)),
      while: ([row]) => row?.count !== 0,
      times: settleMillisMax / lookMillis
    })
    return Troubles.of({
      holdsRows: true,
      hold: (row, during) => {
        const { id, of } = row
        if (of === "key" || of === "workspace") return holdAsHost(row, during)
        const lock = {
          job: sql`SELECT 1 FROM verbatim_jobs WHERE id = ${id} FOR UPDATE`,
          work: sql`SELECT 1 FROM verbatim_work WHERE job_id = ${id} FOR UPDATE`,
          preset: sql`SELECT 1 FROM verbatim_presets WHERE slug = ${id} FOR UPDATE`
        }[of]
        return sql.withTransaction(Effect.andThen(lock, during))
      },
      lapse: (ids) =>
        Effect.asVoid(sql`UPDATE verbatim_work SET lease_until = 0 WHERE ${sql.in("job_id", ids)}`),
      calmly: (effect) =>
        Effect.acquireUseRelease(
          Effect.sync(() => proxy.calm()),
          () => Effect.andThen(settled, effect),
          () => Effect.sync(() => proxy.storm())
        )
    })
  })

/** Causes the faults on separate sessions, which do not lose any answers. */
export const postgresFaults = (config: {
  readonly url: string
  readonly schema: string
  readonly proxy: CalmableProxy
}) =>
  Layer.effect(Troubles, make(config.proxy)).pipe(
    Layer.provide(Layer.fresh(SqlJobStore.layer)),
    Layer.provide(
      Layer.fresh(
        PostgresClient.layer({
          url: Redacted.make(config.url),
          schema: config.schema,
          maxConnections: 8,
          // The faults lock rows for longer than the stores' statements can wait.
          statementTimeout: Duration.minutes(1)
        })
      )
    )
  )
