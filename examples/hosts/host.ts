/** Options for `open` that all host examples share, and functions that start and stop hosts. */
import { mkdtemp, stat } from "node:fs/promises"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Authenticate, Transcribe, Verbatim } from "@verbatim/embed"

/**
 * The in-memory database, whose contents are lost when an example ends. A real host uses SQLite or
 * Postgres.
 */
export const database = "memory:"

/** The media folder from the environment, or a new one. */
export const media = process.env.MEDIA ?? (await mkdtemp(join(tmpdir(), "verbatim-host-")))

/** The port from the environment, or a free one. */
export const port = Number(process.env.PORT ?? 0)

/** Simulates the host's speech engine. The transcript states the size of the recording. */
export const transcribe: Transcribe = async ({ durationMillis, path }) => {
  const { size } = await stat(path)
  const text = `a file of ${size} bytes`
  return { language: "en", segments: [{ startMillis: 0, endMillis: durationMillis, text }] }
}

/** Simulates the host's sessions. Every session manages the same workspace. */
export const authenticate: Authenticate = async ({ headers }) =>
  headers.get("authorization") === "Bearer let me in"
    ? { workspace: "acme", kind: "management", user: "ana" }
    : null

/** The host's response to upgrade requests for its own paths. */
const upgrades =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: greeting\r\n\r\nhello"

/** Prints the address of a Node server, handles its upgrades, and stops it gracefully. */
export const announce = (server: Server, verbatim: Verbatim): void => {
  server.on("upgrade", (_request, socket) => socket.end(upgrades))
  const tell = () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  if (server.listening) tell()
  else server.once("listening", tell)
  stopping(verbatim, () => new Promise((resolve) => server.close(resolve)))
}

/** Stops the host gracefully on SIGTERM: first the host's server, then Verbatim. */
export const stopping = (verbatim: Verbatim, stop: () => Promise<unknown>): void => {
  process.once("SIGTERM", () =>
    stop()
      .then(verbatim.close)
      .then(() => process.exit(0))
  )
  // A test sends SIGHUP to close only Verbatim, and checks that the host still handles requests.
  process.once("SIGHUP", verbatim.close)
}
