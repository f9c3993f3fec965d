/** Tests what happens if the server ends sessions that a host has taken from its pool. */

import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { PoolClient } from "@verbatim/adapters/postgres"
import { Effect, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import pg from "pg"
import { newClock } from "../postgres/TemporarySchema.ts"

/** Builds a protocol message from its letter and its body. */
const message = (letter: string, body: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + length.length)
  return Buffer.concat([Buffer.from(letter), length, body])
}

/** The messages that start a session, with a fatal error in the same packet. */
const killedGreeting = Buffer.concat([
  message("R", Buffer.alloc(4)),
  message("Z", Buffer.from("I")),
  message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0"))
])

/** Starts a server that ends every session immediately after it has started. */
const killingServer = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly end: () => void }>((resume) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => undefined))
      socket.once("data", () => socket.end(killedGreeting))
    }).listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const end = () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      resume(Effect.succeed({ port, end }))
    })
  }),
  ({ end }) => Effect.sync(end)
)

describe("a pool of the pg package", () => {
  it.effect("survives if the server ends a session while it is starting", () =>
    Effect.gen(function* () {
      const { port } = yield* killingServer
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new pg.Pool({ host: "127.0.0.1", port, user: "host", max: 2 })),
        (opened) => Effect.promise(() => opened.end())
      )
      pool.on("error", () => undefined)
      const received: Array<boolean> = []
      const sessions: Array<pg.PoolClient> = []
      pool.on("connect", (session) => {
        sessions.push(session)
        // The host's listener does not help here: without the adapter's own listener, the error
        // would crash the process.
        session.on("error", () => received.push(session.listenerCount("error") > 1))
      })
      const sql = yield* PoolClient.make(pool)
      const faults = yield* Effect.all(
        Array.from({ length: 6 }, () => Effect.flip(sql`SELECT 1`)),
        { concurrency: "unbounded" }
      )
      assert.isTrue(faults.every(({ reason }) => reason._tag === "ConnectionError"))
      assert.isAtLeast(received.length, 6)
      assert.isTrue(received.every((isHeard) => isHeard))
      // The adapter must leave no listeners on the host's objects.
      assert.strictEqual(pool.listenerCount("connect"), 1)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.isTrue(sessions.every((session) => session.listenerCount("error") <= 2))
    }).pipe(Effect.provide(Reactivity.layer))
  )

  it.effect("rejects only the statement in the session that the server ends", () =>
    Effect.gen(function* () {
      const { url } = yield* newClock
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new pg.Pool({ connectionString: Redacted.value(url), max: 1 })),
        (opened) => Effect.promise(() => opened.end())
      )
      // The host listens for errors on idle sessions, as pg's documentation recommends.
      pool.on("error", () => undefined)
      const unheard: Array<unknown> = []
      pool.on("acquire", (session) => {
        // Records the error. Without a listener, the error would crash the process.
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
