/**
 * Measures the cost of resolving a preset over HTTP, for our server and a hand-written server that
 * reads the same rows, on SQLite and Postgres.
 */
import { strictEqual } from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "@verbatim/testkit/servers"
import { cost, type LoadRequest, printCosts, send } from "../Load.ts"
import { sampleBody } from "../presets/SampleRequest.ts"
import { alternate } from "../Rounds.ts"
import { ourServer, type ServerChild, startServer } from "../ServerChild.ts"

const key = "bench-management-key-0123456789abcdef"
const connections = 16
/**
 * Number of warm-up requests, enough for the JavaScript engine to optimise our server, which has
 * many times as much code as the peer's server.
 */
const warmUpAnswers = 15_000
const warmUpMillis = 1_000
/** The rounds are many and short, so that other work on the machine affects both sides equally. */
const roundMillis = 500
const roundCount = 31

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

const warmUp = async ({ address }: ServerChild): Promise<void> => {
  let answers = 0
  while (answers < warmUpAnswers) {
    answers += (await send({ address, requests, connections, millis: warmUpMillis })).answers
  }
}

const overHttp = async (directory: string, databaseUrl: string): Promise<void> => {
  await using ours = await startServer(ourServer({ directory, databaseUrl, key }))
  for (const slug of slugs) await post(ours.address, `/v1/presets/${slug}/responses`, sampleBody)
  await using peer = await startServer({
    args: [fileURLToPath(new URL("Peer.ts", import.meta.url))],
    environment: { PEER_DATABASE: databaseUrl }
  })
  const path = "/v1/presets/preset-0/resolve"
  // Compares responses byte by byte.
  strictEqual(await post(ours.address, path, asked), await post(peer.address, path, asked))
  const sides = { ours, peer }
  for (const side of [ours, peer]) await warmUp(side)
  const load = { requests, connections, millis: roundMillis }
  const rounds = await alternate(roundCount, (side) => cost(sides[side], load))
  console.log(`Resolved over HTTP and ${databaseUrl.split(":", 1)}, ${roundCount} rounds:`)
  printCosts(rounds)
}

/** Prints both servers' rates and their ratio. */
export const measureResolve = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  const postgres = await launch()
  try {
    await overHttp(directory, `sqlite:${join(directory, "ours.db")}`)
    await overHttp(directory, postgres.url)
  } finally {
    await postgres.remove()
    await rm(directory, { recursive: true, force: true })
  }
}
