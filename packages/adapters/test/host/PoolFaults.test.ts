/** A server that ends a session of a host's pool while it is lent. */
import { assert, describe, it } from "@effect/vitest"
import { PoolClient } from "@verbatim/adapters/postgres"
import { Effect, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import pg from "pg"
import { newClock } from "../postgres/TemporarySchema.ts"

describe("a pool of pg", () => {
  it.effect("fails the one statement of a session that is ended, and nothing else", () =>
    Effect.gen(function* () {
      const { url } = yield* newClock
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new pg.Pool({ connectionString: Redacted.value(url), max: 1 })),
        (opened) => Effect.promise(() => opened.end())
      )
      // Listening is what the documents of pg ask of hosts: it is for sessions that nobody has.
      pool.on("error", () => undefined)
      const unheard: Array<unknown> = []
      pool.on("acquire", (session) => {
        // What has no listener when it comes ends the process: here it is noted.
        session.on("error", (fault) => {
          if (session.listenerCount("error") === 1) unheard.push(fault)
        })
      })
      const sql = yield* PoolClient.make(pool)
      yield* Effect.flip(sql.withTransaction(sql`SELECT pg_terminate_backend(pg_backend_pid())`))
      assert.deepStrictEqual(unheard, [])
      const rows = yield* sql`SELECT 1 AS one`
      assert.strictEqual(rows[0]?.one, 1)
    }).pipe(Effect.provide(Reactivity.layer))
  )
})
