/**
 * Measures the cost of resolving a preset over HTTP, for our server and a hand-written server that
 * reads the same rows, on SQLite, where nothing but the programs' own work takes time.
 */
import { strictEqual } from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { compare, type LoadRequest } from "../Load.ts"
import { sampleBody } from "../presets/SampleRequest.ts"
import { ourServer, startServer } from "../ServerChild.ts"

const key = "bench-management-key-0123456789abcdef"
const connections = 16
/**
 * Time in milliseconds for about 15,000 warm-up requests, enough for the JavaScript engine to
 * optimise our server, which has many times as much code as the peer's server.
 */
const warmUpMillis = 6_000
/** The rounds are many and short, so that other work on the machine affects both sides equally. */
const roundMillis = 500
const rounds = 31

const slugs = Array.from({ length: 64 }, (_, index) => `preset-${index}`)

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

/** A typical request, with a conversation, a tool, and a setting that overrides the preset. */
const asked = JSON.stringify({
  input: [{ role: "user", content: "What is the weather in the harbour? ".repeat(8) }],
  temperature: 0.3,
  tools: [{ type: "function", name: "weather", parameters: { type: "object" } }]
})

const requests = slugs.map(
  (slug): LoadRequest => ({
    method: "POST",
    path: `/v1/presets/${slug}/resolve`,
    headers,
    body: asked
  })
)

const post = async (address: string, path: string, body: string): Promise<string> => {
  const response = await fetch(`${address}${path}`, { method: "POST", headers, body })
  const text = await response.text()
  strictEqual(response.status, 200, text)
  return text
}

/** Prints both servers' rates and their ratio. */
export const measureResolve = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  const filename = join(directory, "ours.db")
  try {
    const databaseUrl = `sqlite:${filename}`
    await using ours = await startServer(ourServer({ directory, databaseUrl, key }))
    for (const slug of slugs) await post(ours.address, `/v1/presets/${slug}/responses`, sampleBody)
    await using peer = await startServer({
      args: [fileURLToPath(new URL("Peer.ts", import.meta.url))],
      environment: { PEER_FILENAME: filename }
    })
    const path = "/v1/presets/preset-0/resolve"
    // Compares responses byte by byte.
    strictEqual(await post(ours.address, path, asked), await post(peer.address, path, asked))
    console.log(`Resolved over HTTP, ${rounds} rounds:`)
    await compare(
      { ours, peer },
      { requests, connections, millis: roundMillis, warmUpMillis, rounds }
    )
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
