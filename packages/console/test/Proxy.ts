/** A reverse proxy on this machine: what is below its folder goes on without it. */
import { once } from "node:events"
import { createServer, type IncomingMessage, request as send } from "node:http"
import type { AddressInfo } from "node:net"

const headersOf = ({ headers }: IncomingMessage, host: string) => ({
  ...headers,
  host,
  "x-forwarded-host": headers.host ?? ""
})

/** Starts it in front of a server; whoever wants to know is told of each answer. */
export const startProxy = async (
  address: string,
  folder: `/${string}`,
  onAnswer: (request: IncomingMessage, status: number) => void = () => undefined
) => {
  const { host, hostname, port } = new URL(address)
  const server = createServer((request, response) => {
    const path = request.url ?? ""
    if (!path.startsWith(`${folder}/`)) return response.writeHead(404).end()
    const onward = send({
      hostname,
      port,
      method: request.method,
      path: path.slice(folder.length),
      headers: headersOf(request, host)
    })
    onward.on("response", (answer) => {
      onAnswer(request, answer.statusCode ?? 502)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.writeHead(502).end())
    return request.pipe(onward)
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
