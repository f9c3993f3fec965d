/**
 * Measures the cost of creating presets on our server and a hand-written server, on SQLite with
 * every commit on disk, and in memory, where only HTTP and validation remain. Requests per second
 * include the wait for the disk. The CPU time per request excludes this wait, and hardly depends on
 * other load.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { cost, type LoadRequest, printCosts, send } from "../Load.ts"
import { alternate } from "../Rounds.ts"
import { ourServer, type ServerCommand, startServer } from "../ServerChild.ts"
import { sampleBody } from "./SampleRequest.ts"

const key = "bench-management-key-0123456789abcdef"

/**
 * Number of clients. Sixteen clients that only wait for responses keep a single-threaded server
 * busy.
 */
const connections = 16

/**
 * The first request for each slug creates a preset, and the others add versions, as in practice.
 */
const slugCount = 64

const warmUpMillis = 3_000
const roundMillis = 1_500
const roundCount = 5

const requests = Array.from(
  { length: slugCount },
  (_, index): LoadRequest => ({
    method: "POST",
    path: `/v1/presets/preset-${index}/responses`,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: sampleBody
  })
)

type Storage = "sqlite" | "memory"

const oursIn = (directory: string, storage: Storage): ServerCommand =>
  ourServer({
    directory,
    databaseUrl: storage === "memory" ? "memory:" : `sqlite:${join(directory, "ours.db")}`,
    key
  })

const peerIn = (directory: string, storage: Storage): ServerCommand => ({
  args: [fileURLToPath(new URL("Peer.ts", import.meta.url))],
  environment: {
    PEER_KEY: key,
    PEER_FILENAME: storage === "memory" ? ":memory:" : join(directory, "peer.db")
  }
})

const measure = async (directory: string, storage: Storage) => {
  await using ours = await startServer(oursIn(directory, storage))
  await using peer = await startServer(peerIn(directory, storage))
  const sides = { ours, peer }
  for (const { address } of [ours, peer]) {
    await send({ address, requests, connections, millis: warmUpMillis })
  }
  // The result is awaited here, because the servers stop when this function returns.
  return await alternate(roundCount, (side) =>
    cost(sides[side], { requests, connections, millis: roundMillis })
  )
}

/** Prints the cost of a request on each server. */
export const measurePresets = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  console.log(`POST /v1/presets/{slug}/responses, ${sampleBody.length} bytes:`)
  try {
    for (const storage of ["sqlite", "memory"] as const) {
      console.log(`${storage}:`)
      printCosts(await measure(directory, storage))
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
