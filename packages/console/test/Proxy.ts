/** A local reverse proxy that removes its folder from the path. */
import { type IncomingMessage, type ServerResponse, request as send } from "node:http"
import { buffer } from "node:stream/consumers"
import { listen } from "./Listener.ts"

const headersOf = ({ headers }: IncomingMessage, host: string) => ({
  ...headers,
  host,
  "x-forwarded-host": headers.host ?? ""
})

/** Passes on a response to the client. */
export type PassOn = (answer: IncomingMessage, response: ServerResponse) => void

/** Passes on a response as it arrives. */
export const inPieces: PassOn = (answer, response) => {
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.pipe(response)
}

const whenWhole = async (answer: IncomingMessage, response: ServerResponse): Promise<void> => {
  const whole = await buffer(answer).catch(() => undefined)
  if (whole === undefined) response.destroy()
  else response.writeHead(answer.statusCode ?? 502, answer.headers).end(whole)
}

/** Passes on a response once it is complete, so no part of an endless stream is passed on. */
export const collected: PassOn = (answer, response) => void whenWhole(answer, response)

interface ProxyOptions {
  /** The proxy's folder; empty if it proxies all paths. */
  readonly folder?: `/${string}` | ""
  readonly passOn?: PassOn
  /** Runs before a request is passed on. A request that is aborted in the meantime is dropped. */
  readonly before?: (request: IncomingMessage) => Promise<void>
  /** Called for each response. */
  readonly onAnswer?: (request: IncomingMessage, status: number) => void
}

/** Starts the proxy in front of a server. */
export const startProxy = (
  address: string,
  { before, folder = "", onAnswer, passOn = inPieces }: ProxyOptions
) => {
  const { host, hostname, port } = new URL(address)
  return listen(async (request, response) => {
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
}
