/**
 * Finds a port for a server that is started later, or more than once. Systems hand out ports from
 * the upper half to whoever names none, connections too: one that is free there may be somebody
 * else's a moment later. They hand out none of the ports below, which this one is taken from.
 */

import { randomInt } from "node:crypto"
import type { Server } from "node:http"
import { createServer } from "node:net"
import { Effect, type Scope } from "effect"

/** Above the ports of services that people run, and below those that systems hand out. */
const portMin = 20_000
const portMax = 32_768

/** Far more tries than a machine needs: it uses few of these ports. */
const tryMax = 100

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** Finds a port at which nobody listens, and which the system hands out to nobody. */
export const findFreePort = async (host = "127.0.0.1"): Promise<number> => {
  for (let attempts = 0; attempts < tryMax; attempts += 1) {
    const port = randomInt(portMin, portMax)
    if (await isFree(port, host)) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free`)
}

/** Lets a server listen. Gives its origin: `http://127.0.0.1:<port>`. */
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
