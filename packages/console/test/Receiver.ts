/** A receiver of webhooks on this machine, which answers as a story wants. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** Starts it. */
export const startReceiver = async (status: number) => {
  const server = createServer((request, response) => {
    request.resume()
    request.once("end", () => response.writeHead(status).end())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
