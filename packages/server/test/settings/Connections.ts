/** Connections to a server from chosen addresses of this machine, and what each is answered. */
import { connect, type Socket } from "node:net"
import type { ServerProcess } from "../ServerProcess.ts"

/** A connection, and the status of the first answer on it; none where it was closed without one. */
interface Opened {
  readonly socket: Socket
  readonly status: string | undefined
}

const request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

/** Opens a connection, asks, and waits for the answer or the end. */
const open = (server: ServerProcess, localAddress: string): Promise<Opened> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(server.address)
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.once("data", (piece) => resolve({ socket, status: `${piece}`.split(" ")[1] }))
    socket.once("close", () => resolve({ socket, status: undefined }))
    socket.on("error", () => undefined)
    socket.write(request)
  })

/** Holds one connection for each address, and tells how each was answered. */
export const holdConnections = async (
  server: ServerProcess,
  addresses: ReadonlyArray<string>
): Promise<ReadonlyArray<string | undefined>> => {
  const held: Array<Opened> = []
  for (const address of addresses) held.push(await open(server, address))
  const ended = held.map(
    ({ socket }) =>
      new Promise((end) => {
        if (socket.closed) end(undefined)
        else socket.once("close", end)
      })
  )
  for (const { socket } of held) socket.destroy()
  await Promise.all(ended)
  return held.map(({ status }) => status)
}

/** An address of this machine that nobody else here has. */
const uploader = "127.0.0.7"

const head = (key: string): string =>
  [
    "POST /v1/transcribe HTTP/1.1",
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    "Content-Type: multipart/form-data; boundary=b",
    "Content-Length: 1000",
    "",
    ""
  ].join("\r\n")

/**
 * Holds so many uploads that do not end, until it is told to end them. One that is refused, because
 * another request had its place just then, begins again.
 */
export const holdUploads = (server: ServerProcess, count: number, key: string) => {
  const { hostname, port } = new URL(server.address)
  const open = new Set<Socket>()
  let isOver = false
  const begin = () => {
    if (isOver) return
    const socket = connect({ host: hostname, port: Number(port), localAddress: uploader })
    open.add(socket)
    socket.on("error", () => undefined)
    socket.once("data", () => socket.destroy())
    socket.on("close", () => {
      open.delete(socket)
      setTimeout(begin, 25)
    })
    socket.write(head(key))
  }
  for (let begun = 0; begun < count; begun += 1) begin()
  return () => {
    isOver = true
    for (const socket of open) socket.destroy()
  }
}
