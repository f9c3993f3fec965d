/**
 * Starts a server with OpenAI's protocol that recognises the same sentence in any audio, and
 * summarizes any text in two sentences.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"

export const startModels = async () => {
  const requests: Array<string> = []
  const bodies: Array<Buffer> = []
  /** If true, the server rejects all keys. */
  let isClosed = false
  const server = createServer(async (request, response) => {
    // Reading fails if the client has disconnected, for example because the job was deleted.
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    bodies.push(body)
    requests.push(`${request.url} ${request.headers.authorization} ${body.byteLength}`)
    const answer = request.url?.endsWith("/chat/completions")
      ? { choices: [{ message: { content: "They met. They left." }, finish_reason: "stop" }] }
      : { text: "We met at the harbour. Then we left.", language: "english", duration: 61 }
    if (isClosed) {
      const key = request.headers.authorization?.replace("Bearer ", "")
      const error = { code: "invalid_api_key", message: `Incorrect API key provided: ${key}.` }
      response.writeHead(401).end(JSON.stringify({ error }))
      return
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    /** The bodies of all requests so far. */
    bodies,
    takeNoKey: (takesNone: boolean) => {
      isClosed = takesNone
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
