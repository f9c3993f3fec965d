/**
 * Measures complete jobs per second, from acceptance to webhook, in our program and in the same
 * three steps on graphile-worker, with different numbers of worker processes. `growth` measures a
 * store with a million finished jobs.
 */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { launch } from "@verbatim/testkit/servers"
import { alternate, type Cost, printCosts, type Rounds, type Side } from "../Rounds.ts"
import { callbackIdOf } from "./Child.ts"
import { makeDatabase, query, verify } from "./Databases.ts"
import { type Fleet, startFleet } from "./Fleet.ts"
import { tables } from "./peers/Tables.ts"

/** Number of jobs per round. A round should take a few seconds, but not much longer. */
const jobCount = 2_000

/** Number of jobs that warm up caches, query plans and compiled code. */
const warmUpCount = 1_000

export interface JobsOptions {
  /** The numbers of worker processes to measure. */
  readonly workerCounts: ReadonlyArray<number>
  readonly roundCount: number
}

/** Enough connections for two fleets of five processes, each with ten sessions. */
const maxConnections = 200

/** One side with its database, and the number of jobs in it. */
interface Contender {
  readonly side: Side
  readonly databaseUrl: string
  count: number
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Lets a contender's fleet process jobs, and returns the speed and the cost. */
const turn = async (
  contender: Contender,
  { count, fleet, receiver }: { fleet: Fleet; receiver: Receiver; count: number }
): Promise<Cost> => {
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

/** Measures both sides in turn, each with its own permanent processes. */
const compete = async (
  contenders: Readonly<Record<Side, Contender>>,
  { receiver, roundCount, workers }: { receiver: Receiver; roundCount: number; workers: number }
): Promise<Rounds<Cost>> => {
  await using fleets = new AsyncDisposableStack()
  const start = async (side: Side) => {
    const { databaseUrl } = contenders[side]
    const place = { databaseUrl, callbackUrl: receiver.url, workers }
    const fleet = fleets.use(await startFleet(side, place))
    await turn(contenders[side], { fleet, receiver, count: warmUpCount })
    return fleet
  }
  const started = { ours: await start("ours"), peer: await start("peer") }
  return await alternate(roundCount, (side) =>
    turn(contenders[side], { fleet: started[side], receiver, count: jobCount })
  )
}

/** Prints the medians of both sides, and the medians of the ratios. */
export const measureJobs = async ({ roundCount, workerCounts }: JobsOptions): Promise<void> => {
  const server = await launch({ isDurable: true, maxConnections })
  try {
    using receiver = await startReceiver()
    const prepare = async (side: Side) => ({
      side,
      databaseUrl: await makeDatabase(server.url, side),
      count: 0
    })
    const contenders = { ours: await prepare("ours"), peer: await prepare("peer") }
    await query(contenders.peer.databaseUrl, tables)
    for (const workers of workerCounts) {
      console.log(`Whole jobs with ${workers} workers, ${roundCount} rounds of ${jobCount}:`)
      printCosts(await compete(contenders, { receiver, roundCount, workers }))
    }
  } finally {
    await server.remove()
  }
}

/** Time limit for a measurement. If a measurement takes longer, a job was lost. */
const waitMillis = 120_000

/**
 * Starts the webhook receiver for both sides. It responds immediately, and reports when it has
 * received the webhooks for all jobs.
 */
const startReceiver = async () => {
  const missing = new Set<string>()
  let whole = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(204).end()
      missing.delete(String(request.headers["x-callback-id"]))
      if (missing.size === 0) whole.resolve()
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** Resolves when every job's webhook has arrived. */
    hear: (ids: ReadonlyArray<string>): Promise<void> => {
      whole = Promise.withResolvers<void>()
      const { promise, reject } = whole
      const lost = () => reject(new Error(`${missing.size} webhooks did not arrive`))
      const timer = setTimeout(lost, waitMillis)
      for (const id of ids) missing.add(id)
      return promise.finally(() => clearTimeout(timer))
    },
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
