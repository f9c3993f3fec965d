/** What every example of a host says to `open`, and how it starts and stops. */
import { mkdtemp, stat } from "node:fs/promises"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The folder of recordings: a new one, unless the environment names it. */
export const media = process.env.MEDIA ?? (await mkdtemp(join(tmpdir(), "verbatim-host-")))

/** The port that the environment names, or a free one. */
export const port = Number(process.env.PORT ?? 0)

/** Stands for the speech engine of the host: it counts what it was given. */
export const transcribe = async ({ path }: { readonly path: string }) => {
  const { size } = await stat(path)
  return { language: "en", text: `${size} bytes of audio` }
}

/** Stands for the sessions of the host. */
export const authenticate = async (token: string) => token === "let me in"

/** The host's own upgrades: whoever asks is told one word. */
const upgrades =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: greeting\r\n\r\nhello"

interface Stops {
  readonly close: () => Promise<void>
}

/** Tells where a server of Node listens, upgrades its connections, and stops it when asked to. */
export const announce = (server: Server, verbatim: Stops): void => {
  server.on("upgrade", (_request, socket) => socket.end(upgrades))
  const tell = () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  if (server.listening) tell()
  else server.once("listening", tell)
  stopping(async () => {
    await new Promise((resolve) => server.close(resolve))
    await verbatim.close()
  })
}

/** Ends the process well when somebody asks for it. */
export const stopping = (stop: () => Promise<void>): void => {
  process.once("SIGTERM", () => stop().then(() => process.exit(0)))
}
