/** Tests sessions behind a connection pooler, in each of its modes. */

import { connect, createServer, type Server, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { layer, PoolClient, PostgresClient } from "@verbatim/adapters/postgres"
import * as Sql from "@verbatim/adapters/sql"
import { JobStore } from "@verbatim/core/ports"
import { cutter, headLength, type Message } from "@verbatim/testkit/servers"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import pg from "pg"
import { newSchema, oneClient } from "./TemporarySchema.ts"

/** The time for which a client keeps a server session. */
type PoolMode = "session" | "transaction"

class Backend {
  client: Client | undefined
  readonly cut = cutter()
  readonly socket: Socket
  constructor(socket: Socket) {
    this.socket = socket
  }
}

interface Client {
  readonly socket: Socket
  readonly cut: ReturnType<typeof cutter>
  isGreeted: boolean
  backend: Backend | undefined
  /** Number of queries that the server has not answered yet. */
  outstanding: number
  waiting: Array<Buffer>
}

class Pooler {
  /** The URL through which clients connect to the pooler. */
  readonly url: string
  /**
   * The mode, which can change while clients are connected, as when a pooler reloads its
   * configuration.
   */
  mode: PoolMode
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  readonly #idle: Array<Backend> = []
  readonly #queue: Array<Client> = []

  private constructor(server: Server, { mode, target }: { mode: PoolMode; target: URL }) {
    const address = server.address()
    const url = new URL(target)
    url.hostname = "127.0.0.1"
    url.port = typeof address === "object" && address !== null ? String(address.port) : ""
    this.url = url.href
    this.mode = mode
    this.#server = server
    this.#target = target
    server.on("connection", (socket) => this.#enter(socket))
  }

  /** Opens a pooler for the database at the URL. */
  static open(url: string, mode: PoolMode): Promise<Pooler> {
    const server = createServer()
    return new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () =>
        resolve(new Pooler(server, { mode, target: new URL(url) }))
      )
    )
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #hold(socket: Socket, end: () => void): void {
    this.#sockets.add(socket)
    socket.on("error", end)
    socket.on("close", () => {
      this.#sockets.delete(socket)
      end()
    })
  }

  #enter(socket: Socket): void {
    const far = connect({ host: this.#target.hostname, port: Number(this.#target.port || 5432) })
    const backend = new Backend(far)
    const client: Client = {
      socket,
      cut: cutter(),
      isGreeted: false,
      backend,
      outstanding: 1,
      waiting: []
    }
    backend.client = client
    this.#hold(socket, () => this.#leave(client))
    this.#hold(far, () => backend.client?.socket.destroy())
    far.on("data", (bytes) => this.#answer(backend, bytes))
    socket.on("data", (bytes) => this.#hear(client, bytes))
  }

  #hear(client: Client, bytes: Buffer): void {
    if (!client.isGreeted) {
      client.backend?.socket.write(bytes)
      return
    }
    for (const message of client.cut(bytes)) {
      // The server's session stays open when its client disconnects.
      if (message.type === "X") continue
      if (message.type === "Q" || message.type === "S") client.outstanding += 1
      client.waiting.push(message.bytes)
    }
    this.#serve(client)
  }

  #serve(client: Client): void {
    if (client.waiting.length === 0) return
    client.backend ??= this.#idle.pop()
    if (client.backend === undefined) {
      if (!this.#queue.includes(client)) this.#queue.push(client)
      return
    }
    client.backend.client = client
    client.backend.socket.write(Buffer.concat(client.waiting))
    client.waiting = []
  }

  #answer(backend: Backend, bytes: Buffer): void {
    for (const message of backend.cut(bytes)) {
      const { client } = backend
      client?.socket.write(message.bytes)
      if (message.type === "Z" && client !== undefined) this.#finish(client, message)
    }
  }

  #finish(client: Client, ready: Message): void {
    client.isGreeted = true
    client.outstanding -= 1
    const isIdle = ready.bytes.toString("latin1", headLength) === "I"
    if (this.mode === "session" || !isIdle || client.outstanding > 0) return
    this.#release(client)
  }

  #release(client: Client): void {
    const { backend } = client
    if (backend === undefined) return
    client.backend = undefined
    backend.client = undefined
    this.#idle.push(backend)
    const next = this.#queue.shift()
    if (next !== undefined) this.#serve(next)
  }

  #leave(client: Client): void {
    const { backend } = client
    client.backend = undefined
    if (backend === undefined) return
    backend.client = undefined
    backend.socket.destroy()
  }
}

const pooler = (mode: PoolMode) =>
  Effect.gen(function* () {
    const { schema, url } = yield* newSchema
    const opened = yield* Effect.acquireRelease(
      Effect.promise(() => Pooler.open(Redacted.value(url), mode)),
      (each) => Effect.sync(() => each.close())
    )
    return { opened, config: { url: Redacted.make(opened.url), schema } }
  })

const stores = (config: { readonly url: Redacted.Redacted; readonly schema: string }) =>
  Layer.fresh(layer(config))

const shown = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT current_setting('statement_timeout') AS statement,
    current_setting('lock_timeout') AS lock, current_setting('synchronous_commit') AS durable,
    current_setting('idle_in_transaction_session_timeout') AS idle,
    current_setting('TimeZone') AS zone, pg_sleep(0.01)::text`
)

const overPool = (url: Redacted.Redacted, max: number) =>
  Effect.gen(function* () {
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new pg.Pool({ connectionString: Redacted.value(url), max })),
      (opened) => Effect.promise(() => opened.end())
    )
    return Layer.fresh(Sql.layer()).pipe(Layer.provide(PoolClient.layer(pool)))
  })

describe("behind a pooler", () => {
  it.live("stores open in session mode, and all sessions keep their settings", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("session")
      yield* Effect.provide(
        Effect.flatMap(JobStore, ({ now }) => now),
        stores(config)
      )
      const rows = yield* Effect.forEach(Array.from({ length: 8 }), () => shown, {
        concurrency: 4
      }).pipe(Effect.provide(PostgresClient.layer(config)))
      for (const [row] of rows) {
        assert.deepInclude(row, {
          statement: "5s",
          lock: "4s",
          idle: "5s",
          durable: "on",
          zone: "UTC"
        })
      }
    })
  )

  it.live("stores fail to open in transaction mode, and state the cause", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("transaction")
      const error = yield* Effect.flip(Effect.provide(JobStore, stores(config)))
      assert.strictEqual(error.message, Sql.PoolerCheck.poolerSentence)
    })
  )

  it.live("a host's pool is refused in transaction mode", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("transaction")
      const error = yield* Effect.flip(Effect.provide(JobStore, yield* overPool(config.url, 4)))
      assert.strictEqual(error.message, Sql.PoolerCheck.poolerSentence)
    })
  )

  it.live("a host's pool keeps the host's settings in session mode", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("session")
      yield* Effect.provide(JobStore, yield* overPool(config.url, 2))
    })
  )

  it.effect("sessions in use detect that the pooler's mode has changed", () =>
    Effect.gen(function* () {
      const { config, opened } = yield* pooler("session")
      const sql = yield* SqlClient.SqlClient.pipe(
        Effect.provide(yield* Layer.build(Layer.fresh(PostgresClient.layer(config))))
      )
      const several = Effect.all(
        [1, 2, 3].map(() => sql`SELECT pg_sleep(0.01)`),
        {
          concurrency: "unbounded"
        }
      )
      yield* several
      opened.mode = "transaction"
      yield* several
      // The first check can still use the old sessions. The next check comes ten seconds later.
      const looks = Effect.andThen(TestClock.adjust(Duration.seconds(11)), several)
      const error = yield* Effect.flip(Effect.forever(looks))
      assert.strictEqual(error.message, Sql.PoolerCheck.poolerSentence)
      // Now no statement can run, not even in a session that has kept its settings.
      for (let count = 0; count < 5; count += 1) {
        assert.strictEqual((yield* Effect.flip(sql`SELECT 1`)).message, error.message)
      }
    })
  )

  it.effect("a shorter lock timeout inside a transaction is not mistaken for pooling", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      const sql = yield* SqlClient.SqlClient.pipe(
        Effect.provide(yield* Layer.build(oneClient({ url })))
      )
      yield* sql.unsafe("BEGIN")
      yield* sql.unsafe("SET LOCAL lock_timeout = 17")
      yield* TestClock.adjust(Duration.seconds(11))
      yield* sql.unsafe("COMMIT")
    })
  )
})
