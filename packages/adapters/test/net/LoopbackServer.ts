/**
 * Runs a server on 127.0.0.1 that writes raw bytes, so it can misbehave in any way. This module
 * also counts the sockets that the program opens, as Node reports them.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer, type Server, Socket } from "node:net"
import { Effect, Schedule, type Scope } from "effect"

/** A server, and its connections. */
export interface LoopbackServer {
  readonly port: number
  readonly origin: string
  /** The number of connections accepted so far. */
  readonly connections: () => number
  /** The number of connections that are still open. */
  readonly open: () => number
  /** The bytes that each connection has received. */
  readonly received: ReadonlyArray<string>
}

/** Writes the server's reaction to a complete request. */
export type Behaviour = (socket: Socket, request: string) => void

const isComplete = (request: string): boolean => {
  const end = request.indexOf("\r\n\r\n")
  const length = /\r\ncontent-length: (\d+)/i.exec(request)?.[1] ?? "0"
  return end >= 0 && Buffer.byteLength(request.slice(end + 4)) >= Number(length)
}

/** Starts a server that stops when the scope closes, and then ends every connection. */
export const listen = (options: {
  readonly onRequest?: Behaviour
  /** Whether the server responds to all requests on a connection, instead of only to the first. */
  readonly isRepeated?: boolean
  readonly onConnection?: (socket: Socket) => void
  readonly wrap?: (listener: (socket: Socket) => void) => Server
}): Effect.Effect<LoopbackServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: Server; readonly sockets: Set<Socket> } & LoopbackServer>(
      (resume) => {
        const sockets = new Set<Socket>()
        const received: Array<string> = []
        const accept = (socket: Socket): void => {
          const index = received.push("") - 1
          sockets.add(socket)
          socket.on("close", () => sockets.delete(socket)).on("error", () => undefined)
          options.onConnection?.(socket)
          let isAnswered = false
          let request = ""
          socket.setEncoding("utf8").on("data", (text) => {
            received[index] = `${received[index]}${text}`
            request += text
            if (isAnswered || !isComplete(request)) return
            isAnswered = options.isRepeated !== true
            options.onRequest?.(socket, request)
            request = ""
          })
        }
        const server = options.wrap?.(accept) ?? createServer(accept)
        let connections = 0
        server.on("connection", () => connections++)
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = address !== null && typeof address === "object" ? address.port : 0
          resume(
            Effect.succeed({
              server,
              sockets,
              port,
              origin: `http://127.0.0.1:${port}`,
              connections: () => connections,
              open: () => sockets.size,
              received
            })
          )
        })
      }
    ),
    ({ server, sockets }) =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )

/** Formats a response with its content length. */
export const answer = (
  status: number,
  options?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
): string => {
  const body = options?.body ?? ""
  const fields = { "content-length": `${Buffer.byteLength(body)}`, ...options?.headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n${body}`
}

/** Returns a reaction that sends the response and closes the connection. */
export const respond =
  (...parameters: Parameters<typeof answer>): Behaviour =>
  (socket) =>
    socket.end(answer(...parameters))

/** Whether a database driver opened the socket, perhaps in another test file. */
const isOfDatabase = (): boolean =>
  /node_modules\/(?:@effect\/sql-pg|pg)\//.test(new Error("where").stack ?? "")

/** Collects the client sockets that the program opens until the scope closes. */
export const clientSockets: Effect.Effect<ReadonlyArray<Socket>, never, Scope.Scope> = Effect.gen(
  function* () {
    const sockets: Array<Socket> = []
    const note = (message: unknown): void => {
      const socket = Object(message).socket
      if (socket instanceof Socket && !isOfDatabase()) sockets.push(socket)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => subscribe("net.client.socket", note)),
      () => Effect.sync(() => unsubscribe("net.client.socket", note))
    )
    return sockets
  }
)

/**
 * Waits until the condition holds, for a few minutes at most. Closing a socket takes a few turns of
 * the event loop.
 */
export const eventually = (condition: () => boolean): Effect.Effect<boolean> =>
  Effect.suspend(() => (condition() ? Effect.succeed(true) : Effect.fail(false))).pipe(
    Effect.retry({ schedule: Schedule.spaced(10), times: 30_000 }),
    Effect.orElseSucceed(() => false)
  )
