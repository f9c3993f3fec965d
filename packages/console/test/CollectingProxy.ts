/**
 * A proxy that collects answers and passes them on when they are whole: of one that is told while
 * something happens it passes on nothing.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

const passOn = async (answer: IncomingMessage, response: ServerResponse): Promise<void> => {
  const whole = await buffer(answer).catch(() => undefined)
  if (whole === undefined) response.destroy()
  else response.writeHead(answer.statusCode ?? 502, answer.headers).end(whole)
}

/** Starts it in front of a server. */
export const startCollectingProxy = async (address: string) => {
  const { host, hostname, port } = new URL(address)
  const server = createServer((request, response) => {
    const { headers, method, url: path } = request
    const forwarded = { host, "x-forwarded-host": headers.host ?? "" }
    const onward = send({ hostname, port, method, path, headers: { ...headers, ...forwarded } })
    onward.on("response", (answer) => void passOn(answer, response))
    onward.on("error", () => response.destroy())
    response.on("close", () => onward.destroy())
    request.pipe(onward)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port: own } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${own}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
