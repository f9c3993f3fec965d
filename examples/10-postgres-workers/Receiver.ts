/** Receives webhooks from many jobs. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

/** Listens on a free local port, and records each webhook's job id. */
export const startReceiver = async () => {
  const told: Array<string> = []
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { readonly id: string }
    told.push(id)
    response.writeHead(204).end()
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, told, stop: () => server.close() }
}
