/** Local HTTP servers on a free port, and a webhook receiver. */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

/** Starts the server, by default only for 127.0.0.1. */
export const listen = async (handle: RequestListener, host: string | undefined = "127.0.0.1") => {
  const server = createServer(handle)
  server.listen(0, host)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return {
    port,
    address: `http://127.0.0.1:${port}`,
    stop,
    [Symbol.asyncDispose]: async () => stop()
  }
}

/** Starts a webhook receiver that always gives the same response. */
export const startReceiver = async (status: number, text = "") => {
  const listener = await listen((request, response) => {
    request.resume()
    request.once("end", () => response.writeHead(status).end(text))
  })
  return { ...listener, url: `${listener.address}/hook` }
}
