/** Options of `open` shared by all host examples, and functions that start and stop hosts. */
import { mkdtemp, stat } from "node:fs/promises"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Authenticate, Transcribe, Verbatim } from "@verbatim/embed"

/** No data outlives these examples. A real host uses an SQLite file or its Postgres. */
export const database = "memory:"

/** The media folder: a new one unless the environment names it. */
export const media = process.env.MEDIA ?? (await mkdtemp(join(tmpdir(), "verbatim-host-")))

/** The port in the environment, or a free one. */
export const port = Number(process.env.PORT ?? 0)

/** Simulates the host's speech engine: it returns the size of the recording. */
export const transcribe: Transcribe = async ({ durationMillis, path }) => {
  const { size } = await stat(path)
  const text = `a file of ${size} bytes`
  return { language: "en", segments: [{ startMillis: 0, endMillis: durationMillis, text }] }
}

/** Simulates the host's sessions: each manages the workspace of the company. */
export const authenticate: Authenticate = async ({ headers }) =>
  headers.get("authorization") === "Bearer let me in"
    ? { workspace: "acme", kind: "management", user: "ana" }
    : null

/** Answers the host's own upgrades with one word. */
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

/** Ends the process gracefully: first no new requests, then no work. */
export const stopping = (verbatim: Verbatim, stop: () => Promise<unknown>): void => {
  process.once("SIGTERM", () =>
    stop()
      .then(verbatim.close)
      .then(() => process.exit(0))
  )
  // Closes Verbatim before the host, for a test: requests still get an answer.
  process.once("SIGHUP", verbatim.close)
}
