/**
 * Runs one Postgres server for all test files. The server starts on the first request, and stops at
 * the end of the run. Each file creates its own database on the server.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { launch, type PostgresServer } from "@verbatim/testkit/servers"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The server's URL. */
    readonly postgres: string
  }
}

/** Maximum number of connections, which is enough for several test files at once. */
const maxConnections = 400

/**
 * Called by Vitest before the first test. Returns a function that Vitest calls after the last one.
 */
export const setup = async (project: TestProject) => {
  let start: Promise<PostgresServer> | undefined
  const server = createServer((_request, response) => {
    start ??= launch({ maxConnections })
    start.then(
      ({ url }) => response.end(url),
      (cause: unknown) => response.writeHead(500).end(String(cause))
    )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  project.provide("postgres", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    await (await start)?.remove()
  }
}
