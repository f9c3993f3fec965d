/** Runs many host transactions at the same time as ordinary requests, on Postgres. */
import { assert, describe, it } from "@effect/vitest"
import { layer, within } from "@verbatim/adapters/postgres"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import pg from "pg"
import { newSchema } from "../postgres/TemporarySchema.ts"
import { isThere, servicesOver, submitUrl } from "./HostServices.ts"

/** The largest number of sessions that the host opens. */
const sessionsMax = 16

const prepared = Effect.gen(function* () {
  const config = yield* newSchema
  const context = yield* Layer.build(servicesOver(Layer.fresh(layer(config))))
  const pool = yield* Effect.acquireRelease(
    Effect.sync(
      () => new pg.Pool({ connectionString: Redacted.value(config.url), max: sessionsMax })
    ),
    (opened) => Effect.promise(() => opened.end())
  )
  return { context, pool }
})

/** Runs an effect within a host transaction. */
const transact = <A, E, R>(
  pool: pg.Pool,
  end: "COMMIT" | "ROLLBACK",
  use: (client: pg.PoolClient) => Effect.Effect<A, E, R>
) =>
  Effect.acquireUseRelease(
    Effect.promise(() => pool.connect()),
    (client) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => client.query("BEGIN"))
        const done = yield* use(client)
        yield* Effect.promise(() => client.query(end))
        return done
      }),
    (client) => Effect.sync(() => client.release())
  )

describe("concurrent host transactions", () => {
  it.live("wait for each other if they use the same key", () =>
    Effect.gen(function* () {
      const { context, pool } = yield* prepared
      yield* Effect.gen(function* () {
        const hasWritten = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const first = yield* Effect.forkChild(
          transact(pool, "ROLLBACK", (client) =>
            Effect.gen(function* () {
              const job = yield* within(client)(submitUrl("same"))
              yield* Deferred.succeed(hasWritten, undefined)
              yield* Deferred.await(mayEnd)
              return job
            })
          )
        )
        yield* Deferred.await(hasWritten)
        const second = yield* Effect.forkChild(
          transact(pool, "COMMIT", (client) => within(client)(submitUrl("same")))
        )
        const ordinary = yield* Effect.forkChild(submitUrl("same"))
        // Requests with other keys do not wait for these.
        assert.isTrue(yield* isThere((yield* submitUrl("other")).id))
        assert.isTrue(
          yield* isThere(
            (yield* transact(pool, "COMMIT", (client) => within(client)(submitUrl("third")))).id
          )
        )
        yield* Deferred.succeed(mayEnd, undefined)
        const undone = yield* Fiber.join(first)
        const kept = yield* Fiber.join(second)
        assert.strictEqual((yield* Fiber.join(ordinary)).id, kept.id)
        assert.notStrictEqual(kept.id, undone.id)
        assert.isFalse(yield* isThere(undone.id))
        assert.isTrue(yield* isThere(kept.id))
      }).pipe(Effect.provide(context))
    })
  )
})
