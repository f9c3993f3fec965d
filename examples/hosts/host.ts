/** What every example of a host says to `open`, and how it starts and stops. */
import { mkdtemp, stat } from "node:fs/promises"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Authenticate, Recognise, Verbatim } from "@verbatim/embed"

/** Nothing outlives these examples. A host names a file of SQLite, or its Postgres. */
export const database = "memory:"

/** The folder of recordings: a new one, unless the environment names it. */
export const media = process.env.MEDIA ?? (await mkdtemp(join(tmpdir(), "verbatim-host-")))

/** The port that the environment names, or a free one. */
export const port = Number(process.env.PORT ?? 0)

/** Stands for the speech engine of the host: it weighs what it was given. */
export const transcribe: Recognise = async ({ durationMillis, path }) => {
  const { size } = await stat(path)
  const text = `a file of ${size} bytes`
  return { language: "en", segments: [{ startMillis: 0, endMillis: durationMillis, text }] }
}

/** Stands for the sessions of the host: who has one manages the workspace of the company. */
export const authenticate: Authenticate = async ({ headers }) =>
  headers.get("authorization") === "Bearer let me in"
    ? { workspace: "acme", kind: "management", user: "ana" }
    : null

/** The host's own upgrades: each is answered with one word. */
const upgrades =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: greeting\r\n\r\nhello"

/** Tells where a server of Node listens, upgrades its connections, and stops it when asked to. */
export const announce = (server: Server, verbatim: Verbatim): void => {
  server.on("upgrade", (_request, socket) => socket.end(upgrades))
  const tell = () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  if (server.listening) tell()
  else server.once("listening", tell)
  stopping(verbatim, () => new Promise((resolve) => server.close(resolve)))
}

/** Ends the process well when it is asked to end: no new requests, then no work. */
export const stopping = (verbatim: Verbatim, stop: () => Promise<unknown>): void => {
  process.once("SIGTERM", () =>
    stop()
      .then(verbatim.close)
      .then(() => process.exit(0))
  )
  // A host that closes it too early, as a test does: requests are answered all the same.
  process.once("SIGHUP", verbatim.close)
}
