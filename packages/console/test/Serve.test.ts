/** Tests the server for the console's developers. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { assert, it } from "vitest"
import { listen } from "./Listener.ts"

const program = fileURLToPath(new URL("../bundle/serve.ts", import.meta.url))

/** Starts the server on a free port, and returns the process with the URL that it prints. */
const start = async (
  target: string,
  TMPDIR: string
): Promise<{ child: ChildProcess; url: URL }> => {
  const child = spawn(process.execPath, [program, target, "0"], {
    env: { ...process.env, TMPDIR },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [printed] = await once(child.stdout, "data")
  return { child, url: new URL(`${printed}`.split(",", 1)[0] ?? "") }
}

/** Sends a request with exactly this target, which `fetch` would normalise. */
const send = async ({ hostname, port }: URL, target: string): Promise<string> => {
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

it("serves the page, and passes all other requests to its target only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "verbatim-serve-"))
  await using other = await listen((_, response) => response.end("other server"))
  await using target = await listen((request, response) => {
    if (request.url !== "/events") {
      response.end(`target ${request.url}`)
      return
    }
    // The target crashes while it sends events.
    response.write("data: first\n\n", () => response.destroy())
  })
  const { child, url } = await start(target.address, folder)
  try {
    assert.include(await send(url, url.pathname), "new EventSource")
    for (const path of ["//", `//127.0.0.1:${other.port}/`, `${other.address}/`]) {
      assert.include(await send(url, path), `target ${path}`)
    }
    const events = await fetch(new URL("/events", url))
    const outcome = await events.text().catch(() => "broken off")
    assert.strictEqual(outcome, "broken off")
    target.stop()
    const refused = await fetch(new URL("/v1/presets", url))
    assert.strictEqual(refused.status, 502)
  } finally {
    child.kill("SIGINT")
    await once(child, "exit")
  }
  assert.deepStrictEqual(await readdir(folder), [])
  await rm(folder, { recursive: true })
}, 60_000)
