/** A receiver of webhooks on this machine, which answers as a story wants. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** Starts it. What it says beside the status is in its reason, in a header, and in the body. */
export const startReceiver = async (status: number, text = "") => {
  const server = createServer((request, response) => {
    request.resume()
    request.once("end", () => {
      if (text === "") return response.writeHead(status).end()
      const headers = { "content-type": "text/html", "x-answer": text, location: text }
      return response.writeHead(status, text, headers).end(text)
    })
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
