/** Starts a local webhook receiver that records its requests. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface Arrived {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Starts a receiver that responds to every request with 200. */
export const startReceiver = async () => {
  const arrived: Array<Arrived> = []
  const server = createServer(async (request, response) => {
    // An aborted request is not recorded.
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    arrived.push({ headers: request.headers, body })
    response.writeHead(200).end()
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrived,
    [Symbol.asyncDispose]: async () => {
      server.close()
    }
  }
}
