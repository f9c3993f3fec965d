/** Tests that a server can listen on the port, and that the system does not assign it. */
import { once } from "node:events"
import { createServer, type Server } from "node:net"
import { findFreePort } from "@verbatim/testkit/servers"
import { afterAll, assert, describe, it } from "vitest"

/** The lowest port that systems assign by default. */
const handedOutMin = 32_768

const servers: Array<Server> = []

const listen = async (port: number): Promise<void> => {
  const server = createServer().listen(port, "127.0.0.1")
  servers.push(server)
  await once(server, "listening")
}

afterAll(() => {
  for (const server of servers) server.close()
})

describe("findFreePort", () => {
  it("returns a free port below the ports that operating systems assign", async () => {
    for (let count = 0; count < 20; count += 1) {
      const port = await findFreePort()
      assert.isBelow(port, handedOutMin)
      await listen(port)
    }
  })
})
