/** A local webhook receiver with a fixed answer. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * Starts the receiver. The given text is sent as the reason phrase, as a header, and as the body.
 */
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
