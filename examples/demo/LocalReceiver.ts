/** Receives one webhook for the demo. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface Webhook {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: string
}

/** Listens on a free local port, and returns the first webhook that arrives. */
export const startReceiver = async () => {
  const { promise: webhook, resolve } = Promise.withResolvers<Webhook>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    response.writeHead(204).end()
    resolve({ headers: request.headers, rawHeaders: request.rawHeaders, body })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, webhook, stop: () => server.close() }
}
