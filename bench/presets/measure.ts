/**
 * What creating presets costs: the server beside a hand-written one, on SQLite with every commit on
 * the disk, and in memory, where only HTTP and validation are left. Requests per second count the
 * wait for the disk; the processor time of each does not, and hardly depends on the machine's load.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type LoadRequest, send } from "../Load.ts"
import { ourServer } from "../OurServer.ts"
import { alternate, median, type Rounds, ratio } from "../Rounds.ts"
import { type ServerChild, type ServerCommand, startServer } from "../ServerChild.ts"
import { agree } from "./Agreement.ts"
import { sampleBody } from "./SampleRequest.ts"

const key = "bench-management-key-0123456789abcdef"

/** Sixteen clients that wait for nothing but their answers keep a server of one thread busy. */
const connections = 16

/** The first request of each slug creates, the others append: as it is with presets. */
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
  args: [fileURLToPath(new URL("peer/main.ts", import.meta.url))],
  environment: {
    PEER_KEY: key,
    PEER_FILENAME: storage === "memory" ? "" : join(directory, "peer.db")
  }
})

/** How many requests there are in a second, and what one takes of the processor. */
interface Cost {
  readonly perSecond: number
  readonly cpuMicros: number
}

const load = async ({ address, cpu }: ServerChild, millis: number): Promise<Cost> => {
  const before = await cpu()
  const { answers, perSecond } = await send({ address, requests, connections, millis })
  return { perSecond, cpuMicros: ((await cpu()) - before) / answers }
}

const measure = async (directory: string, storage: Storage) => {
  await using ours = await startServer(oursIn(directory, storage))
  await using peer = await startServer(peerIn(directory, storage))
  await agree({ ours: ours.address, peer: peer.address, key })
  const sides = { ours, peer }
  for (const side of [ours, peer]) await load(side, warmUpMillis)
  // Waited for here: on return the servers are stopped.
  return await alternate(roundCount, (side) => load(sides[side], roundMillis))
}

const line = (name: string, ...cells: ReadonlyArray<string>): string =>
  name.padEnd(22) + cells.map((cell) => cell.padStart(10)).join("")

const compared = (name: string, rounds: Rounds<number>): string =>
  line(
    name,
    median(rounds.ours).toFixed(0),
    median(rounds.peer).toFixed(0),
    ratio(rounds).toFixed(2)
  )

const of = ({ ours, peer }: Rounds<Cost>, figure: keyof Cost): Rounds<number> => ({
  ours: ours.map((cost) => cost[figure]),
  peer: peer.map((cost) => cost[figure])
})

/** Prints the medians of both sides and of the ratios. */
export const measurePresets = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  console.log(`POST /v1/presets/{slug}/responses, ${sampleBody.length} bytes:`)
  console.log(line("", "ours", "peer", "ratio"))
  try {
    for (const storage of ["sqlite", "memory"] as const) {
      const rounds = await measure(directory, storage)
      console.log(compared(`${storage}, per second`, of(rounds, "perSecond")))
      console.log(compared(`${storage}, µs of CPU`, of(rounds, "cpuMicros")))
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
