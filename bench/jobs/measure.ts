/**
 * Measures complete jobs per second, from acceptance to webhook, in our program and in the same
 * three steps on pg-boss and graphile-worker, with different numbers of worker processes. `growth`
 * measures a store with a million finished jobs.
 */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { loadavg } from "node:os"
import { launch } from "@verbatim/testkit/servers"
import { median, ratio } from "../Rounds.ts"
import { makeDatabase, verify } from "./Databases.ts"
import { type Fleet, programs, type Side, startFleet } from "./Fleet.ts"
import { callbackIdOf } from "./serve.ts"

const sides = Object.keys(programs) as ReadonlyArray<Side>

/** Number of jobs per round. A round should take a few seconds, but not much longer. */
const jobCount = 2_000

/** Number of jobs that warm up caches, query plans and compiled code. */
const warmUpCount = 1_000

export interface JobsOptions {
  /** The numbers of worker processes to measure. */
  readonly workerCounts: ReadonlyArray<number>
  readonly roundCount: number
}

/** Enough connections for three fleets of five processes, each with ten sessions. */
const maxConnections = 200

/** The speed and the cost of a contender in one round. */
interface Turn {
  readonly perSecond: number
  /** The workers' CPU time per job. */
  readonly cpuMicros: number
}

/** A contender: one of the programs, with its own database. */
interface Contender {
  readonly side: Side
  readonly databaseUrl: string
  count: number
  /** The contender's results, one per round. */
  turns: Array<Turn>
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Processes jobs with a contender's fleet, and returns the speed and the cost. */
const turn = async (
  contender: Contender,
  { count, fleet, receiver }: { fleet: Fleet; receiver: Receiver; count: number }
): Promise<Turn> => {
  const first = contender.count
  const ids = Array.from({ length: count }, (_, index) => callbackIdOf(first + index))
  const heard = receiver.hear(ids)
  const cpuBefore = await fleet.workerCpu()
  const startedAt = performance.now()
  await Promise.all([fleet.accept({ first, count }), heard])
  const seconds = (performance.now() - startedAt) / 1000
  contender.count += count
  await verify(contender.databaseUrl, contender)
  const cpuMicros = ((await fleet.workerCpu()) - cpuBefore) / count
  return { perSecond: count / seconds, cpuMicros }
}

/** Measures contenders in turn, each with its own permanent processes. */
const compete = async (
  contenders: ReadonlyArray<Contender>,
  { receiver, roundCount, workers }: { receiver: Receiver; roundCount: number; workers: number }
): Promise<void> => {
  await using fleets = new AsyncDisposableStack()
  const started: Array<{ readonly contender: Contender; readonly fleet: Fleet }> = []
  for (const contender of contenders) {
    const { databaseUrl, side } = contender
    const fleet = fleets.use(
      await startFleet(side, { databaseUrl, callbackUrl: receiver.url, workers })
    )
    await turn(contender, { fleet, receiver, count: warmUpCount })
    contender.turns = []
    started.push({ contender, fleet })
  }
  for (let round = 0; round < roundCount; round += 1) {
    for (const { contender, fleet } of started) {
      contender.turns.push(await turn(contender, { fleet, receiver, count: jobCount }))
    }
  }
}

const line = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(26) : cell.padStart(10))).join("")

const figures = ({ turns }: Contender, figure: keyof Turn): ReadonlyArray<number> =>
  turns.map((each) => each[figure])

/** Returns the median ratio of one contender's figures to another's. */
const ratioOf = (ours: Contender, peer: Contender, figure: keyof Turn): string =>
  ratio({ ours: figures(ours, figure), peer: figures(peer, figure) }).toFixed(2)

const print = (workers: number, contenders: ReadonlyArray<Contender>): void => {
  const ours = contenders.find(({ side }) => side === "ours")
  for (const contender of contenders) {
    const beside = (figure: keyof Turn) =>
      ours === undefined || ours === contender ? "" : ratioOf(ours, contender, figure)
    console.log(
      line([
        contender.side,
        String(workers),
        median(figures(contender, "perSecond")).toFixed(0),
        beside("perSecond"),
        median(figures(contender, "cpuMicros")).toFixed(0),
        beside("cpuMicros"),
        (loadavg()[0] ?? 0).toFixed(1)
      ])
    )
  }
}

/** Prints the medians of all contenders, and the medians of the ratios. */
export const measureJobs = async ({ roundCount, workerCounts }: JobsOptions): Promise<void> => {
  const server = await launch({ isDurable: true, maxConnections })
  try {
    using receiver = await startReceiver()
    const contenders: Array<Contender> = []
    for (const side of sides) {
      const databaseUrl = await makeDatabase(server.url, { name: side, side })
      contenders.push({ side, databaseUrl, count: 0, turns: [] })
    }
    console.log(
      `Whole jobs per second and CPU of the workers for each, ${roundCount} rounds of ${jobCount}:`
    )
    console.log(line(["", "workers", "jobs/s", "ours : it", "µs CPU", "ours : it", "load"]))
    for (const workers of workerCounts) {
      await compete(contenders, { receiver, roundCount, workers })
      print(workers, contenders)
    }
  } finally {
    await server.remove()
  }
}

/** Time limit for a measurement. If a measurement takes longer, a job was lost. */
const waitMillis = 120_000

/**
 * Starts the webhook receiver for all sides. The receiver responds immediately, and reports when it
 * has received the webhooks for all jobs.
 */
const startReceiver = async () => {
  const missing = new Set<string>()
  let done: () => void = () => undefined
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(204).end()
      missing.delete(String(request.headers["x-callback-id"]))
      if (missing.size === 0) done()
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** Resolves when every job's webhook has arrived. */
    hear: (ids: ReadonlyArray<string>) =>
      new Promise<void>((heard, failed) => {
        const lost = () => failed(new Error(`${missing.size} webhooks did not arrive`))
        const timer = setTimeout(lost, waitMillis)
        for (const id of ids) missing.add(id)
        done = () => {
          clearTimeout(timer)
          heard()
        }
      }),
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
