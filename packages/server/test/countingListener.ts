/** Provides a listener that counts its connections. */
import { createServer } from "node:net"

/** Starts a server that counts connections and closes each one. */
export const startCountingListener = async () => {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return {
    port,
    visits: () => visits,
    [Symbol.dispose]: () => void server.close()
  }
}
