/**
 * One Postgres for all the test files of a run: it is started when the first of them asks, and
 * stopped at the end of the run. Each file makes a database of its own in it.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { launch, type PostgresServer } from "@verbatim/testkit/servers"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the URL of the server. */
    readonly postgres: string
  }
}

/** More than three files at once open. */
const connectionsMax = 400

/** Called by Vitest before the first test; what it returns is called after the last. */
export const setup = async (project: TestProject) => {
  let starting: Promise<PostgresServer> | undefined
  const door = createServer((_request, response) => {
    starting ??= launch({ connectionsMax })
    starting.then(
      ({ url }) => response.end(url),
      (cause: unknown) => response.writeHead(500).end(String(cause))
    )
  })
  door.listen(0, "127.0.0.1")
  await once(door, "listening")
  project.provide("postgres", `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    await (await starting)?.remove()
  }
}
