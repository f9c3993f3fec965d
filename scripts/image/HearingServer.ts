/** A server of OpenAI's protocol that hears the same words in any audio. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/** What it hears. */
export const heard = "We met at the harbour."

/** Listens on a free port of this machine. */
export const startHearingServer = async () => {
  const server = createServer(async (request, response) => {
    await buffer(request)
    const answer = JSON.stringify({ text: heard, language: "english", duration: 1 })
    response.writeHead(200, { "content-type": "application/json" }).end(answer)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}
