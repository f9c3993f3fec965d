/** Tests jobs and presets in host transactions on Postgres. */

import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { type HostConnection, layer, within } from "@verbatim/adapters/postgres"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { newSchema } from "../postgres/TemporarySchema.ts"
import * as EffectSql from "./clients/EffectSql.ts"
import * as Pg from "./clients/Pg.ts"
import { addVersion, isThere, servicesOver, submitUrl } from "./HostServices.ts"

/** Thrown to roll a transaction back. */
class Undo extends Error {}

/** Runs one of the host's statements. */
type RunOwnStatement = (text: string, values: Array<unknown>) => PromiseLike<unknown>

/** Runs work in a transaction, and rolls it back if the work rejects. */
type Transact = <A>(
  work: (connection: HostConnection, own: RunOwnStatement) => Promise<A>
) => Promise<A>

/** A host program, with its own Postgres client and its own transactions. */
interface Host {
  readonly transact: Transact
  readonly close: () => Promise<void>
}

const sessionsMax = 6

const newPool = (url: string) => {
  const pool = new pg.Pool({ connectionString: url, max: sessionsMax })
  // The server may end idle sessions, which is irrelevant to these tests.
  pool.on("error", () => undefined)
  return pool
}

const withPg = (url: string): Host => {
  const pool = newPool(url)
  return {
    transact: (work) =>
      Pg.transact(pool, (client) => work(client, (text, values) => client.query(text, values))),
    close: () => pool.end()
  }
}

const withEffectSql = (url: string): Host => {
  const runtime = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(url) }))
  return {
    transact: (work) =>
      runtime.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.flatMap(EffectSql.connectionOf(sql), (connection) =>
            Effect.tryPromise({
              try: () => work(connection, connection.query),
              catch: (error) => error
            })
          ).pipe(sql.withTransaction)
        )
      ),
    close: () => runtime.dispose()
  }
}

const clients = {
  pg: withPg,
  "an Effect client": withEffectSql
}

/** The clients that a host can choose. */
const clientNames = Object.keys(clients) as ReadonlyArray<keyof typeof clients>

const openClient = (name: keyof typeof clients, url: string): Host => clients[name](url)

const openHost = (name: (typeof clientNames)[number], url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => openClient(name, url)),
    ({ close }) => Effect.promise(close)
  )

/** Runs the host's work in a transaction, and commits it or rolls it back. */
const transactWith = (host: Host, isKept: boolean) => {
  return <A, E, R>(
    work: (connection: HostConnection, own: RunOwnStatement) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.context<R>().pipe(
      Effect.flatMap((context) =>
        Effect.promise(async () => {
          let done: Exit.Exit<A, E> | undefined
          try {
            await host.transact(async (connection, own) => {
              done = await Effect.runPromiseExit(
                Effect.provideContext(work(connection, own), context)
              )
              if (!isKept) throw new Undo()
            })
          } catch (error) {
            if (!(error instanceof Undo)) throw error
          }
          return done ?? Exit.die("the host never came to its work")
        })
      ),
      Effect.flatten
    )
}

/** Writes a row of the host, a job and a version, all with the same name. */
const writeAll =
  (table: string, name: string) => (connection: HostConnection, own: RunOwnStatement) =>
    Effect.gen(function* () {
      yield* Effect.promise(async () => own(`INSERT INTO public.${table} VALUES ($1)`, [name]))
      const job = yield* within(connection)(submitUrl(name))
      const { preset } = yield* within(connection)(addVersion(name, name))
      // The stores' pool does not see these writes before the commit.
      assert.isFalse(yield* isThere(job.id))
      assert.isTrue(yield* within(connection)(isThere(job.id)))
      return { job, preset }
    })

/**
 * Counts everything that has the given name: the row, the job, the work, the keys and the version.
 */
const countAll = (host: Host, schema: string, name: string) =>
  Effect.promise(() =>
    host.transact(async (connection) => {
      const { rows } = await connection.query(
        `SELECT (SELECT count(*)::int FROM public.own_${schema} WHERE name = $1) AS own,
          (SELECT count(*)::int FROM ${schema}.verbatim_idempotency_keys
            WHERE key = $1) AS keyed,
          (SELECT count(*)::int FROM ${schema}.verbatim_jobs
            JOIN ${schema}.verbatim_idempotency_keys ON job_id = verbatim_jobs.id
            WHERE key = $1) AS written,
          (SELECT count(*)::int FROM ${schema}.verbatim_work
            JOIN ${schema}.verbatim_idempotency_keys USING (job_id) WHERE key = $1) AS pending,
          (SELECT count(*)::int FROM ${schema}.verbatim_preset_keys
            WHERE key = $1) AS preset_keyed,
          (SELECT count(*)::int FROM ${schema}.verbatim_preset_versions
            JOIN ${schema}.verbatim_presets ON verbatim_presets.id = preset_id
            WHERE slug = $1) AS versions`,
        [name]
      )
      return Object.values(rows[0] ?? {})
    })
  )

const none = [0, 0, 0, 0, 0, 0]
const all = [1, 1, 1, 1, 1, 1]

const prepared = (client: (typeof clientNames)[number]) =>
  Effect.gen(function* () {
    const config = yield* newSchema
    const services = servicesOver(Layer.fresh(layer(config)))
    const url = Redacted.value(config.url)
    const host = yield* openHost(client, url)
    const context = yield* Layer.build(services)
    const table = `own_${config.schema}`
    yield* Effect.promise(() =>
      host.transact(async (_, own) =>
        own(`CREATE TABLE IF NOT EXISTS public.${table} (name text)`, [])
      )
    )
    return { context, host, schema: config.schema, table, url }
  })

describe.each(clientNames)("a host's transaction with %s", (client) => {
  it.live("commits or rolls back a job and a preset together with the host's own row", () =>
    Effect.gen(function* () {
      const { context, host, schema, table } = yield* prepared(client)
      yield* Effect.gen(function* () {
        const undone = yield* transactWith(host, false)(writeAll(table, "talk"))
        assert.deepStrictEqual(yield* countAll(host, schema, "talk"), none)
        assert.isFalse(yield* isThere(undone.job.id))
        // After a rollback, the same request is handled like a new one.
        const kept = yield* transactWith(host, true)(writeAll(table, "talk"))
        assert.deepStrictEqual(yield* countAll(host, schema, "talk"), all)
        assert.isTrue(yield* isThere(kept.job.id))
        assert.notStrictEqual(kept.job.id, undone.job.id)
        // A retry gets the same response, whether inside or outside a transaction.
        const again = yield* transactWith(
          host,
          true
        )((connection) => within(connection)(submitUrl("talk")))
        assert.strictEqual(again.id, kept.job.id)
        assert.strictEqual((yield* submitUrl("talk")).id, kept.job.id)
        assert.strictEqual((yield* addVersion("talk", "talk")).version.version, 1)
      }).pipe(Effect.provide(context))
    })
  )

  it.live("stays usable after a failed call, which leaves no rows", () =>
    Effect.gen(function* () {
      const { context, host, schema, table } = yield* prepared(client)
      yield* Effect.gen(function* () {
        const exit = yield* transactWith(
          host,
          true
        )((connection, own) =>
          Effect.gen(function* () {
            const failing = Effect.andThen(submitUrl("lost"), Effect.fail("no" as const))
            const exit = yield* Effect.exit(within(connection)(failing))
            yield* Effect.promise(async () =>
              own(`INSERT INTO public.${table} VALUES ($1)`, ["lost"])
            )
            return exit
          })
        )
        assert.deepStrictEqual(exit, Exit.fail("no" as const))
        assert.deepStrictEqual(yield* countAll(host, schema, "lost"), [1, 0, 0, 0, 0, 0])
      }).pipe(Effect.provide(context))
    })
  )

  it.live("fails, and states the reason, if the transaction is missing or has ended", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared(client)
      yield* Effect.gen(function* () {
        const reported = (connection: HostConnection) =>
          Effect.map(Effect.exit(within(connection)(submitUrl())), (exit) =>
            Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
          )
        const [kept, aborted] = yield* transactWith(
          host,
          false
        )((connection, own) =>
          Effect.gen(function* () {
            yield* Effect.promise(() =>
              Promise.resolve(own("SELECT no_such_column", [])).catch(() => undefined)
            )
            return [connection, yield* reported(connection)] as const
          })
        )
        assert.include(String(aborted), "already failed")
        assert.match(
          String(yield* reported(kept)),
          /not in a transaction|closed, released, or lost/
        )
      }).pipe(Effect.provide(context))
    })
  )
})

describe("a call in the host's transaction", () => {
  it.live("fails if the transaction has ended", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared("pg")
      yield* Effect.gen(function* () {
        const hasBegun = yield* Deferred.make<void>()
        const mayContinue = yield* Deferred.make<void>()
        const call = yield* transactWith(
          host,
          true
        )((connection) =>
          Effect.gen(function* () {
            const waiting = Effect.gen(function* () {
              yield* Deferred.succeed(hasBegun, undefined)
              yield* Deferred.await(mayContinue)
              return yield* submitUrl("late")
            })
            const call = yield* Effect.forkDetach(within(connection)(waiting))
            yield* Deferred.await(hasBegun)
            return call
          })
        )
        yield* Deferred.succeed(mayContinue, undefined)
        const error = yield* Effect.flip(Fiber.join(call))
        assert.include(String(error), "ended before this call did")
        const again = yield* transactWith(
          host,
          true
        )((connection) => within(connection)(submitUrl("late")))
        assert.isTrue(yield* isThere(again.id), "it is the first of its key")
      }).pipe(Effect.provide(context))
    })
  )

  it.live("is refused on a pool, on another database, and in a read-only transaction", () =>
    Effect.gen(function* () {
      const { context, url } = yield* prepared("pg")
      const elsewhere = new URL(url)
      elsewhere.pathname = "/postgres"
      const pools = [url, elsewhere.href].map(
        (connectionString) => new pg.Pool({ connectionString, max: 1 })
      )
      yield* Effect.addFinalizer(() =>
        Effect.promise(() => Promise.all(pools.map((pool) => pool.end())))
      )
      const reported = (pool: pg.Pool | undefined, begin: string) =>
        Effect.promise(async () => {
          await pool?.query(begin)
          const [refusal] = await Promise.allSettled([
            Effect.runPromise(Effect.provide(within(pool as pg.Pool)(submitUrl()), context))
          ])
          await pool?.query("ROLLBACK")
          return String(refusal.status === "rejected" ? refusal.reason : "it was let in")
        })
      assert.include(yield* reported(pools[0], "SELECT 1"), "not in a transaction")
      assert.include(yield* reported(pools[0], "BEGIN READ ONLY"), "read-only")
      assert.include(yield* reported(pools[1], "BEGIN"), "different database")
    })
  )
})

describe("the example on the transactions page", () => {
  it.live("publishes an article together with its recording, or publishes neither", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      const runtime = ManagedRuntime.make(Layer.orDie(servicesOver(Layer.fresh(layer(config)))))
      const pool = new pg.Pool({ connectionString: Redacted.value(config.url) })
      yield* Effect.addFinalizer(() =>
        Effect.promise(() => Promise.all([pool.end(), runtime.dispose()]))
      )
      yield* Effect.promise(async () => {
        await pool.query("DROP TABLE IF EXISTS articles")
        await pool.query("CREATE TABLE articles (title text UNIQUE)")
        const given = { runtime, submit: submitUrl(), title: "Harbour" }
        const kept = await Pg.publish(pool, given)
        const refused = Pg.publish(pool, { ...given, submit: Effect.fail("no" as const) })
        assert.isTrue(
          await refused.then(
            () => false,
            () => true
          )
        )
        const twice = Pg.publish(pool, { ...given, submit: submitUrl("twice") })
        assert.isTrue(
          await twice.then(
            () => false,
            () => true
          )
        )
        assert.isTrue(await runtime.runPromise(isThere(kept.id)))
        const { rows } = await pool.query(`SELECT title,
          (SELECT count(*)::int FROM ${config.schema}.verbatim_jobs) AS jobs FROM articles`)
        assert.deepStrictEqual(rows, [{ title: "Harbour", jobs: 1 }])
      })
    })
  )
})

describe("a host that finds its tables only through its `search_path`", () => {
  it.live("still finds them after successful and failed calls", () =>
    Effect.gen(function* () {
      const { schema, url } = yield* newSchema
      const context = yield* Layer.build(servicesOver(Layer.fresh(layer({ schema, url }))))
      const client = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const opened = new pg.Client({ connectionString: Redacted.value(url) })
          await opened.connect()
          return opened
        }),
        (opened) => Effect.promise(() => opened.end())
      )
      const run = (sql: string) => Effect.promise(() => client.query(sql))
      const path = Effect.map(run("SHOW search_path"), ({ rows }) => rows[0])
      yield* run(`CREATE SCHEMA own_${schema}`)
      yield* run(`CREATE TABLE own_${schema}.articles (title text)`)
      yield* run(`SET search_path TO own_${schema}, public`)
      const before = yield* path
      yield* Effect.gen(function* () {
        yield* run("BEGIN")
        yield* within(client)(submitUrl("first"))
        yield* run("INSERT INTO articles VALUES ('first')")
        yield* Effect.exit(within(client)(Effect.fail("the caller's own")))
        yield* run("INSERT INTO articles VALUES ('second')")
        assert.deepStrictEqual(yield* path, before)
        yield* run("COMMIT")
        yield* run("INSERT INTO articles VALUES ('third')")
        const { rows } = yield* run("SELECT title FROM articles")
        assert.lengthOf(rows, 3)
      }).pipe(Effect.provideContext(context))
    })
  )
})
