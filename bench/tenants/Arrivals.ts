/**
 * The receiver of the webhooks: it answers at once, and notes when the one of a job came.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A job whose webhook does not come within this is lost. */
const waitMillis = 120_000

export const startArrivals = async () => {
  const waiting = new Map<string, (at: number) => void>()
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const at = performance.now()
      response.writeHead(204).end()
      waiting.get(String(request.headers["x-callback-id"]))?.(at)
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** When the webhook with that id came. */
    arrival: (id: string) =>
      new Promise<number>((came, failed) => {
        const lost = () => failed(new Error(`the webhook of ${id} did not come`))
        const timer = setTimeout(lost, waitMillis)
        waiting.set(id, (at) => {
          clearTimeout(timer)
          waiting.delete(id)
          came(at)
        })
      }),
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
