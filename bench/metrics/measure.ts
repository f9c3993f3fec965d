/**
 * What it costs to count and to log: the median time of a request, and the time of a job, of a
 * server that does so beside one that does neither, turn by turn in one process.
 */
import { Client } from "undici"
import { alternate, median, type Rounds, ratio } from "../Rounds.ts"
import { key, type Side, startSide, type Telling } from "./Sides.ts"

const requestCount = 1_500
const jobCount = 150
const warmUpCount = 4

/** Forty of them differ by one per cent from one run to the next, which is what is measured. */
const requestRoundCount = 121
const jobRoundCount = 41

/** The median of so many requests, one after the other, in microseconds. */
const medianRequest = async (client: Client): Promise<number> => {
  const times: Array<number> = []
  for (let count = 0; count < requestCount; count += 1) {
    const startedAt = performance.now()
    const { body, statusCode } = await client.request({
      method: "GET",
      path: "/v1/presets?limit=1",
      headers: { authorization: `Bearer ${key}` }
    })
    await body.dump()
    times.push(performance.now() - startedAt)
    if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`)
  }
  return median(times) * 1_000
}

/** The processor time of a job, in microseconds. */
const timeOfJob = async (side: Side): Promise<number> => {
  const before = process.cpuUsage()
  await side.finishJobs(jobCount)
  const { system, user } = process.cpuUsage(before)
  return (system + user) / jobCount
}

const show = (what: string, rounds: Rounds<number>): void => {
  const [ours, peer] = [median(rounds.ours), median(rounds.peer)].map((value) => value.toFixed(1))
  const times = `${ratio(rounds).toFixed(3)}x  (${ours} µs, without ${peer} µs)`
  console.log(`  ${what.padEnd(24)}${times}`)
}

const silent: Telling = { isCounting: false, isLogging: false }

/** Prints the ratios of a server that tells of itself to one that does not. */
const compare = async (title: string, telling: Telling): Promise<void> => {
  await using ours = await startSide(telling)
  await using peer = await startSide(silent)
  const sides = { ours, peer }
  const clients = { ours: new Client(ours.address), peer: new Client(peer.address) }
  console.log(title)
  const request = (side: "ours" | "peer") => medianRequest(clients[side])
  const job = (side: "ours" | "peer") => timeOfJob(sides[side])
  await alternate(warmUpCount, request)
  show("request, p50", await alternate(requestRoundCount, request))
  await alternate(warmUpCount, job)
  show("job, processor time", await alternate(jobRoundCount, job))
  await Promise.all([clients.ours.close(), clients.peer.close()])
}

/** Measures counting alone, and counting with a log. */
export const measureMetrics = async (): Promise<void> => {
  await compare("metrics: counting", { isCounting: true, isLogging: false })
  await compare("metrics: counting and logging", { isCounting: true, isLogging: true })
}
