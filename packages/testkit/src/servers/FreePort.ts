/**
 * A port for a server that is started later, or more than once. Systems give ports to whoever names
 * none, connections too, from the upper half: what is free there belongs to somebody else a moment
 * later. Nobody is given one of these.
 */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Above the ports of services that people run, and below those that systems give. */
const portMin = 20_000
const portMax = 32_768

/** Far more ports in a row than machines use there. */
const tryMax = 100

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** A port at which nobody listens, and which nobody is given. */
export const freePort = async (host = "127.0.0.1"): Promise<number> => {
  for (let tries = 0; tries < tryMax; tries += 1) {
    const port = randomInt(portMin, portMax)
    if (await isFree(port, host)) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free`)
}
