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

/** How an answer goes on to whoever asked. */
export type PassOn = (answer: IncomingMessage, response: ServerResponse) => void

/** As it comes. */
export const inPieces: PassOn = (answer, response) => {
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.pipe(response)
}

const whenWhole = async (answer: IncomingMessage, response: ServerResponse): Promise<void> => {
  const whole = await buffer(answer).catch(() => undefined)
  if (whole === undefined) response.destroy()
  else response.writeHead(answer.statusCode ?? 502, answer.headers).end(whole)
}

/** When it is whole: of one that is told while something happens, nothing goes on. */
export const collected: PassOn = (answer, response) => void whenWhole(answer, response)

interface ProxyOptions {
  /** Empty for a proxy that has all paths. */
  readonly folder?: `/${string}` | ""
  readonly passOn?: PassOn
  /** Runs before a request is passed on; one that was given up by then is not passed on. */
  readonly before?: (request: IncomingMessage) => Promise<void>
  /** Told of each answer. */
  readonly onAnswer?: (request: IncomingMessage, status: number) => void
}

/** Starts it in front of a server. */
export const startProxy = async (
  address: string,
  { before, folder = "", onAnswer, passOn = inPieces }: ProxyOptions
) => {
  const { host, hostname, port } = new URL(address)
  const server = createServer(async (request, response) => {
    await before?.(request)
    if (response.destroyed) return
    const path = request.url ?? ""
    if (!path.startsWith(`${folder}/`)) {
      response.writeHead(404).end()
      return
    }
    const onward = send({
      hostname,
      port,
      method: request.method,
      path: path.slice(folder.length),
      headers: headersOf(request, host)
    })
    onward.on("response", (answer) => {
      onAnswer?.(request, answer.statusCode ?? 502)
      passOn(answer, response)
    })
    onward.on("error", () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
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
