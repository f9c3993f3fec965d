/**
 * The webhook receiver for all sides. It responds immediately, and reports when it has received the
 * webhooks for all jobs.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** Time limit for a measurement. If a measurement takes longer, a job was lost. */
const waitMillis = 120_000

export const startReceiver = async () => {
  const missing = new Set<string>()
  let done: () => void = () => undefined
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(204).end()
      missing.delete(String(request.headers["x-callback-id"]))
      if (missing.size === 0) done()
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** Resolves when every job's webhook has arrived. */
    hear: (ids: ReadonlyArray<string>) =>
      new Promise<void>((heard, failed) => {
        const lost = () => failed(new Error(`${missing.size} webhooks did not arrive`))
        const timer = setTimeout(lost, waitMillis)
        for (const id of ids) missing.add(id)
        done = () => {
          clearTimeout(timer)
          heard()
        }
      }),
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
