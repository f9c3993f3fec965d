/**
 * Finds a port for a server that starts later, or more than once. Systems assign ports from the
 * upper half, even to outgoing connections, so a free port there can be taken a moment later. This
 * port is in the lower half, which systems leave alone.
 */

import { randomInt } from "node:crypto"
import type { Server } from "node:http"
import { createServer } from "node:net"
import { Effect, type Scope } from "effect"

/**
 * The range of ports to try: above the ports for common services and below the ports that systems
 * assign.
 */
const portMin = 20_000
const portMax = 32_768

/**
 * Maximum number of tries, far more than needed, because a machine uses few ports in this range.
 */
const tryMax = 100

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** Finds a free port that the system itself never assigns. */
export const findFreePort = async (host = "127.0.0.1"): Promise<number> => {
  for (let attempts = 0; attempts < tryMax; attempts += 1) {
    const port = randomInt(portMin, portMax)
    if (await isFree(port, host)) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free`)
}

/** Starts a server, and returns its origin, `http://127.0.0.1:<port>`. */
export const listen = (server: Server): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address !== null && typeof address === "object" ? address.port : 0
        resume(Effect.succeed(`http://127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
