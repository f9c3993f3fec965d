/**
 * What it costs to count: the median time of a request, and the time of a job, of a server that
 * counts beside one that does not, turn by turn in one process.
 */
import { Client } from "undici"
import { alternate, median, type Rounds, ratio } from "../Rounds.ts"
import { key, type Side, startSide } from "./Sides.ts"

const requestCount = 1_500
const jobCount = 150
const warmUpCount = 4
const roundCount = 41

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
  const times = `${ratio(rounds).toFixed(3)}x  (${ours} µs, without counting ${peer} µs)`
  console.log(`  ${what.padEnd(24)}${times}`)
}

/** Prints the ratio of a server that counts to one that does not. */
export const measureMetrics = async (): Promise<void> => {
  await using ours = await startSide(true)
  await using peer = await startSide(false)
  const sides = { ours, peer }
  const clients = { ours: new Client(ours.address), peer: new Client(peer.address) }
  console.log("metrics: counting, beside not counting")
  const request = (side: "ours" | "peer") => medianRequest(clients[side])
  const job = (side: "ours" | "peer") => timeOfJob(sides[side])
  await alternate(warmUpCount, request)
  show("request, p50", await alternate(roundCount, request))
  await alternate(warmUpCount, job)
  show("job, processor time", await alternate(roundCount, job))
  await Promise.all([clients.ours.close(), clients.peer.close()])
}
