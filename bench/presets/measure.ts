/**
 * Measures the cost of creating and resolving presets over HTTP, for our server and hand-written
 * ones. Presets are created on SQLite and in memory, and resolved on SQLite and Postgres.
 */
import { strictEqual } from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "@verbatim/testkit/servers"
import { type MeasuredChild, ourServer, startMeasured } from "../Child.ts"
import { cost, type LoadRequest, printCosts, send } from "../Load.ts"
import { alternate } from "../Rounds.ts"
import { sampleBody } from "./SampleRequest.ts"

const key = "bench-management-key-0123456789abcdef"

/**
 * Number of clients. Sixteen clients that only wait for responses keep a single-threaded server
 * busy.
 */
const connections = 16

/**
 * Number of warm-up requests, enough for the JavaScript engine to optimise our server, which has
 * many times as much code as the peers' servers.
 */
const warmUpAnswers = 15_000
const warmUpMillis = 1_000
/** The rounds are many and short, so that other work on the machine affects both sides equally. */
const roundMillis = 500
const roundCount = 31

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

/** Creates a request for each of 64 presets. */
const requestsTo = (action: string, body: string): ReadonlyArray<LoadRequest> =>
  Array.from({ length: 64 }, (_, index) => ({
    method: "POST",
    path: `/v1/presets/preset-${index}/${action}`,
    headers,
    body
  }))

/** A typical request, with a conversation, a tool, and a setting that overrides the preset. */
const asked = JSON.stringify({
  input: [{ role: "user", content: "What is the weather in the harbour? ".repeat(8) }],
  temperature: 0.3,
  tools: [{ type: "function", name: "weather", parameters: { type: "object" } }]
})

/** The first request for each slug creates a preset, and the others add versions. */
const creations = requestsTo("responses", sampleBody)
const resolutions = requestsTo("resolve", asked)

type Servers = Readonly<Record<"ours" | "peer", MeasuredChild>>

/** Prints the cost of requests on two servers. */
const compare = async (servers: Servers, requests: ReadonlyArray<LoadRequest>) => {
  for (const { address } of [servers.ours, servers.peer]) {
    const load = { address, requests, connections, millis: warmUpMillis }
    for (let answers = 0; answers < warmUpAnswers; ) answers += (await send(load)).answers
  }
  const load = { requests, connections, millis: roundMillis }
  printCosts(await alternate(roundCount, (side) => cost(servers[side], load)))
}

const startPeer = (file: string, environment: Readonly<Record<string, string>>) =>
  startMeasured({
    args: [fileURLToPath(new URL(file, import.meta.url))],
    environment: { ...process.env, ...environment }
  })

const create = async (directory: string, storage: "sqlite" | "memory"): Promise<void> => {
  const isMemory = storage === "memory"
  const databaseUrl = isMemory ? "memory:" : `sqlite:${join(directory, "ours.db")}`
  await using ours = await startMeasured(ourServer({ directory, databaseUrl, key }))
  const PEER_FILENAME = isMemory ? ":memory:" : join(directory, "peer.db")
  await using peer = await startPeer("CreatePeer.ts", { PEER_KEY: key, PEER_FILENAME })
  console.log(`Created over HTTP and ${storage}, ${sampleBody.length} bytes:`)
  await compare({ ours, peer }, creations)
}

const answerOf = async (address: string, { body, path }: LoadRequest): Promise<string> => {
  const init = { method: "POST", headers, body: String(body) }
  const response = await fetch(`${address}${path}`, init)
  const text = await response.text()
  strictEqual(response.status, 200, text)
  return text
}

const resolve = async (directory: string, databaseUrl: string): Promise<void> => {
  await using ours = await startMeasured(ourServer({ directory, databaseUrl, key }))
  for (const creation of creations) await answerOf(ours.address, creation)
  await using peer = await startPeer("ResolvePeer.ts", { PEER_DATABASE: databaseUrl })
  // Compares responses byte by byte.
  for (const each of resolutions) {
    strictEqual(await answerOf(ours.address, each), await answerOf(peer.address, each))
  }
  console.log(`Resolved over HTTP and ${databaseUrl.split(":", 1)}:`)
  await compare({ ours, peer }, resolutions)
}

const inDirectory = async (use: (directory: string) => Promise<void>): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  try {
    await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Prints the cost of creating a version. */
export const measurePresets = (): Promise<void> =>
  inDirectory(async (directory) => {
    for (const storage of ["sqlite", "memory"] as const) await create(directory, storage)
  })

/** Prints the cost of resolving a preset. */
export const measureResolve = (): Promise<void> =>
  inDirectory(async (directory) => {
    const postgres = await launch()
    try {
      await resolve(directory, `sqlite:${join(directory, "ours.db")}`)
      await resolve(directory, postgres.url)
    } finally {
      await postgres.remove()
    }
  })
