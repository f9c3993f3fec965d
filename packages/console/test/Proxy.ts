/** A reverse proxy on this machine: what is below its folder goes on without it. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

const headersOf = ({ headers }: IncomingMessage, host: string) => ({
  ...headers,
  host,
  "x-forwarded-host": headers.host ?? ""
})

/** How it goes on with what it gets. */
interface Ways {
  /** Empty where nothing is moved. */
  readonly folder: `/${string}` | ""
  /** Whether it collects answers and passes them on when they are whole. */
  readonly isCollecting?: boolean
}

const passOn = async (answer: IncomingMessage, response: ServerResponse, isCollecting: boolean) => {
  const { headers, statusCode = 502 } = answer
  if (!isCollecting) {
    response.writeHead(statusCode, headers)
    answer.pipe(response)
    return
  }
  const whole = await buffer(answer).catch(() => undefined)
  if (whole === undefined) response.destroy()
  else response.writeHead(statusCode, headers).end(whole)
}

/** Starts it in front of a server. */
export const startProxy = async (address: string, { folder, isCollecting = false }: Ways) => {
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
    onward.on("response", (answer) => void passOn(answer, response, isCollecting))
    response.on("close", () => onward.destroy())
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
