/** One run: a fleet, clients, a receiver, a killer, and the audit at the end. */
import { setTimeout as sleep } from "node:timers/promises"
import { dataDirectory, inferenceKey, managementKey } from "../ServerProcess.ts"
import { audit, type History, type Known, type Report, recoveries, type Status } from "./Audit.ts"
import { type Accepted, insist, submitAll, type Way } from "./Clients.ts"
import { Dice } from "./Dice.ts"
import { Fleet, type Place } from "./Fleet.ts"
import { type Arrived, startReceiver } from "./Receiver.ts"

export interface RunOptions {
  readonly jobs: number
  readonly kills: number
  readonly seed: number
  readonly database: "sqlite" | "postgres"
  readonly log: (line: string) => void
}

export interface Outcome {
  readonly report: Report
  readonly numbers: Readonly<Record<string, number>>
  /** The last lines that the processes said. */
  readonly said: ReadonlyArray<string>
}

const minutesBefore = 1_000_000

/** After the last kill: a lease, three attempts of a webhook that each lose a worker, a reserve. */
const settleMillis = 240_000

/** Between two kills: long enough for a process to come up and take something. */
const killMillis = 1_500

const environment = (directory: string) => ({
  VERBATIM_DATA_DIR: directory,
  VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
  VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: managementKey,
  VERBATIM_BOOTSTRAP_INFERENCE_KEY: inferenceKey,
  VERBATIM_BOOTSTRAP_MINUTES: String(minutesBefore),
  VERBATIM_TRANSCRIBE_CONCURRENCY: "4"
})

/** Kills until it has killed enough, at moments that the dice decide; workers more than others. */
const killing = async (fleet: Fleet, { dice, kills }: { dice: Dice; kills: number }) => {
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(killMillis * (0.5 + dice.next()))
    const workers = fleet.places.filter(({ role }) => role === "worker")
    const among: ReadonlyArray<Place> = dice.chance(0.8) ? workers : fleet.places
    const victim = among[dice.below(among.length)]
    if (victim !== undefined) await fleet.kill(victim)
  }
}

const statusOf = (way: Way, { id }: Accepted) => insist<Status>(way, { path: `/v1/status/${id}` })

/** Waits until no job is pending, or until there was time enough. */
const settled = async (way: Way, jobs: ReadonlyArray<Accepted>) => {
  const deadline = Date.now() + settleMillis
  let open = jobs
  while (open.length > 0 && Date.now() < deadline) {
    const left: Array<Accepted> = []
    for (const job of open) {
      if ((await statusOf(way, job)).webhook_status === "PENDING") left.push(job)
    }
    open = left
    if (open.length > 0) await sleep(500)
  }
}

const known = async (
  way: Way,
  { arrived, jobs }: { jobs: ReadonlyArray<Accepted>; arrived: ReadonlyArray<Arrived> }
): Promise<ReadonlyArray<Known>> => {
  const byJob = Map.groupBy(arrived, ({ callbackId }) => callbackId)
  const all: Array<Known> = []
  for (const accepted of jobs) {
    const path = `/v1/transcriptions/${accepted.id}/history`
    all.push({
      accepted,
      status: await statusOf(way, accepted),
      history: await insist<History>(way, { path }),
      arrived: byJob.get(accepted.callbackId) ?? []
    })
  }
  return all
}

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0

/** Runs once. */
export const run = async (options: RunOptions): Promise<Outcome> => {
  const { jobs, kills, log, seed } = options
  const startedAt = Date.now()
  await using directory = await dataDirectory()
  using receiver = await startReceiver(new Dice(seed + 1))
  await using fleet = new Fleet(environment(directory.path))
  await fleet.add("http", 2)
  await fleet.add("worker", 3)
  const way = { addresses: fleet.addresses, key: inferenceKey, dice: new Dice(seed + 2) }
  log(`seed ${seed}: ${jobs} jobs, ${kills} kills, ${options.database}`)

  const killer = killing(fleet, { dice: new Dice(seed + 3), kills })
  const accepted = await submitAll(way, {
    jobs,
    callbackUrl: receiver.url,
    onAccepted: (count) => count % 500 === 0 && log(`${count} jobs accepted`)
  })
  await killer
  log("no more kills")
  await settled(way, accepted)

  const all = await known(way, { jobs: accepted, arrived: receiver.arrived })
  const last = all.at(-1)?.status.balance_minutes ?? ""
  const times = recoveries(all)
  return {
    report: {
      "jobs lost": jobs - all.length,
      ...audit(all, { minutesBefore, balanceMinutes: Number(last) })
    },
    numbers: {
      kills: fleet.places.reduce((sum, place) => sum + place.kills, 0),
      "attempts that lost their worker": times.length,
      "recovery p50 (ms)": percentile(times, 0.5),
      "recovery p99 (ms)": percentile(times, 0.99),
      "webhook requests": receiver.arrived.length,
      "webhooks not delivered": all.filter(({ status }) => status.webhook_status === "FAILED")
        .length,
      seconds: Math.round((Date.now() - startedAt) / 1_000)
    },
    said: fleet.said
  }
}
