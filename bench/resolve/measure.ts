/**
 * What resolving a preset over HTTP costs: the server beside a hand-written one that reads the same
 * rows of the same file, and the rule itself, without a server, for presets with many tools.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Format, type JsonObject, resolve } from "@verbatim/resolution"
import { type LoadRequest, send } from "../Load.ts"
import { ourServer } from "../OurServer.ts"
import { sampleBody } from "../presets/SampleRequest.ts"
import { alternate, median, ratio } from "../Rounds.ts"
import { startServer } from "../ServerChild.ts"

const key = "bench-management-key-0123456789abcdef"
const connections = 16
const warmUpMillis = 3_000
const roundMillis = 1_500
const roundCount = 11

const slugs = Array.from({ length: 64 }, (_, index) => `preset-${index}`)

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

/** A request as a program sends it: a conversation, a tool, and one setting of its own. */
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

const post = async (address: string, path: string, body: string): Promise<unknown> => {
  const response = await fetch(`${address}${path}`, { method: "POST", headers, body })
  const text = await response.text()
  strictEqual(response.status, 200, text)
  return JSON.parse(text)
}

const overHttp = async (directory: string): Promise<void> => {
  const filename = join(directory, "ours.db")
  await using ours = await startServer(
    ourServer({ directory, databaseUrl: `sqlite:${filename}`, key })
  )
  for (const slug of slugs) await post(ours.address, `/v1/presets/${slug}/responses`, sampleBody)
  await using peer = await startServer({
    args: [fileURLToPath(new URL("Peer.ts", import.meta.url))],
    environment: { PEER_FILENAME: filename }
  })
  const path = "/v1/presets/preset-0/resolve"
  deepStrictEqual(await post(ours.address, path, asked), await post(peer.address, path, asked))
  const sides = { ours, peer }
  const load = (side: "ours" | "peer", millis: number) =>
    send({ address: sides[side].address, requests, connections, millis })
  for (const side of ["ours", "peer"] as const) await load(side, warmUpMillis)
  const rounds = await alternate(
    roundCount,
    async (side) => (await load(side, roundMillis)).perSecond
  )
  const [our, their] = [median(rounds.ours).toFixed(0), median(rounds.peer).toFixed(0)]
  console.log(`POST /v1/presets/{slug}/resolve, per second: ${our} beside ${their}`)
  console.log(`ratio ${ratio(rounds).toFixed(2)} (median of ${roundCount} rounds)`)
}

const fieldCount = 100
const toolCount = 50

const large: JsonObject = {
  ...Object.fromEntries(
    Array.from({ length: fieldCount - 1 }, (_, index) => [`field_${index}`, { value: index }])
  ),
  tools: Array.from({ length: toolCount }, (_, index) => ({
    type: "function",
    name: `tool_${index}`,
    description: "What it does.",
    parameters: { type: "object", properties: { of: { type: "string" } } }
  }))
}

const rules: ReadonlyArray<readonly [Format, JsonObject]> = [
  ["responses", { input: "Hi", tools: [{ type: "function", name: "tool_3" }] }],
  ["chatCompletions", { messages: [{ role: "user", content: "Hi" }], tools: [] }],
  ["messages", { messages: [{ role: "user", content: "Hi" }], tools: [] }]
]

/** Of the rule alone: the median of rounds of a thousand. */
const ofRule = (format: Format, request: JsonObject): number => {
  const version = {
    version: 1,
    format: "responses",
    systemPrompt: "Be brief.",
    config: large
  } as const
  const micros: Array<number> = []
  for (let round = 0; round < 60; round += 1) {
    const startedAt = performance.now()
    for (let count = 0; count < 1_000; count += 1) resolve(version, request, format)
    micros.push(performance.now() - startedAt)
  }
  return median(micros.slice(30))
}

/** Prints the rates of both, their ratio, and the time of the rule. */
export const measureResolve = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  try {
    await overHttp(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  console.log(`The rule, ${fieldCount} kept fields and ${toolCount} tools, made as responses:`)
  for (const [format, request] of rules) {
    console.log(`${format.padEnd(18)} ${ofRule(format, request).toFixed(1)} µs`)
  }
}
