/**
 * Runs a connection pooler in front of Postgres, like PgBouncer. In transaction mode, each
 * transaction gets the free session that was used last. In session mode, each client keeps its
 * session. Each client connects with a separate session, so that the server itself authenticates
 * the client.
 */

import { connect, createServer, type Server, type Socket } from "node:net"
import { cutter, headLength, type Message } from "@verbatim/testkit/servers"

/** The time for which a client keeps a server session. */
export type PoolMode = "session" | "transaction"

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

export class Pooler {
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
