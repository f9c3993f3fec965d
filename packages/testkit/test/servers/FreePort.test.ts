/** A port for later: it can be listened on, and nobody is given it meanwhile. */
import { once } from "node:events"
import { createServer, type Server } from "node:net"
import { freePort } from "@verbatim/testkit/servers"
import { afterAll, assert, describe, it } from "vitest"

/** From here on systems give ports to whoever names none, unless they were told otherwise. */
const givenMin = 32_768

const servers: Array<Server> = []

const listen = async (port: number): Promise<void> => {
  const server = createServer().listen(port, "127.0.0.1")
  servers.push(server)
  await once(server, "listening")
}

afterAll(() => {
  for (const server of servers) server.close()
})

describe("a free port", () => {
  it("is below those that systems give, and is there for who asked", async () => {
    for (let count = 0; count < 20; count += 1) {
      const port = await freePort()
      assert.isBelow(port, givenMin)
      await listen(port)
    }
  })
})
