/**
 * Runs one process of the concurrency check on Postgres, where responses to the stores can get
 * lost.
 */
import { layer, PostgresClient } from "@verbatim/adapters/postgres"
import { serve, Troubles } from "@verbatim/testkit/concurrency"
import { Proxy } from "@verbatim/testkit/servers"
import { dice } from "@verbatim/testkit/simulation"
import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** A proxy that loses responses until its method `calm` is called. */
type CalmableProxy = Pick<Proxy, "calm" | "storm">

/** The name under which Postgres lists the stores' sessions. */
const applicationName = "verbatim-checked"

/** Time after which the server has ended all abandoned statements. */
const settleMillisMax = 20_000
const lookMillis = 20

const make = (proxy: CalmableProxy) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const busy = sql<{ readonly count: number }>`SELECT count(*) AS count FROM pg_stat_activity
      WHERE application_name = ${applicationName} AND state <> 'idle'`
    const settled = Effect.repeat(busy, {
      schedule: Schedule.spaced(Duration.millis(lookMillis)),
      while: ([row]) => row?.count !== 0,
      times: settleMillisMax / lookMillis
    })
    return Troubles.of({
      hold: (row, during) => {
        const { id, of } = row
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

/** Causes the faults in separate sessions, whose own responses are never lost. */
const postgresFaults = (config: {
  readonly url: string
  readonly schema: string
  readonly proxy: CalmableProxy
}) =>
  Layer.effect(Troubles, make(config.proxy)).pipe(
    Layer.provide(
      Layer.fresh(
        PostgresClient.layer({
          url: Redacted.make(config.url),
          schema: config.schema,
          maxConnections: 8,
          // The faults lock rows for longer than the stores' statements are allowed to wait.
          statementTimeout: Duration.minutes(1)
        })
      )
    )
  )

const {
  CHECK_MEMBER = "",
  CHECK_SCHEMA: schema = "",
  CHECK_SEED,
  CHECK_URL: url = ""
} = process.env

/**
 * The share of write statements whose response is lost, and the share of responses that are
 * delayed.
 */
const lossShare = 0.004
const delayShare = 0.01

const proxy = await Proxy.open(url, {
  dice: dice(Number(CHECK_SEED), `proxy ${CHECK_MEMBER}`),
  lossShare,
  delayShare
})
// At first, no responses are lost, because a process that cannot create its tables exits.
proxy.calm()

const stores = layer({ url: Redacted.make(proxy.url), schema, applicationName })

const all = Layer.merge(stores, postgresFaults({ url, schema, proxy }))

await serve(Layer.effectDiscard(Effect.sync(() => proxy.storm())).pipe(Layer.provideMerge(all)))
