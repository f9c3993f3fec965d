/** The receiver of webhooks: it answers at once, and notes when each of them came. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A measurement that takes longer has lost a job. */
const waitMillis = 120_000

/** Starts it. */
export const startArrivals = async () => {
  const arrived = new Map<string, number>()
  let onArrival: () => void = () => undefined
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(204).end()
      const id = String(request.headers["x-callback-id"])
      if (!arrived.has(id)) arrived.set(id, Date.now())
      onArrival()
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** Waits until all of them have come, and returns when each did. */
    hear: (ids: ReadonlyArray<string>) =>
      new Promise<ReadonlyArray<number>>((heard, failed) => {
        const timer = setTimeout(() => failed(new Error("webhooks did not come")), waitMillis)
        onArrival = () => {
          if (!ids.every((id) => arrived.has(id))) return
          clearTimeout(timer)
          heard(ids.map((id) => arrived.get(id) ?? Number.NaN))
        }
        onArrival()
      }),
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
