/**
 * Runs the fault test, with a database, a fleet, clients, a receiver, faults, and a final audit.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { dataDirectory, inferenceKey, managementKey } from "../ServerProcess.ts"
import { audit, type History, type Known, type Report, type Status } from "./Audit.ts"
import { type Accepted, type ClientOptions, forEach, insist, submitAll } from "./Clients.ts"
import { type Database, openDatabase } from "./Database.ts"
import { Dice } from "./Dice.ts"
import { Fleet, type Place } from "./Fleet.ts"
import { crashing, killing, killMillis, silencing } from "./injectFaults.ts"
import { type Arrived, startReceiver } from "./Receiver.ts"

export interface RunOptions {
  readonly jobs: number
  readonly kills: number
  readonly seed: number
  readonly database: "sqlite" | "postgres"
  /** Seconds between two crashes of Postgres. With 0, it never crashes. */
  readonly restartEvery?: number
  /**
   * Puts a proxy between each process and Postgres. The proxies lose responses and stop forwarding.
   */
  readonly isProxied?: boolean
  readonly log: (line: string) => void
}

export interface Outcome {
  readonly report: Report
  readonly numbers: Readonly<Record<string, number>>
  /** The last log lines of all processes. */
  readonly said: ReadonlyArray<string>
}

/** The balance of the first workspace, in minutes. */
export const minutesBefore = 1_000_000

/**
 * After the last kill, all jobs must end within this time: a lease, three webhook attempts that
 * each lose a worker, and a margin.
 */
const settleMillis = 480_000

/** The environment for every process. */
export const environment = (directory: string) => ({
  VERBATIM_DATA_DIR: directory,
  VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
  VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: managementKey,
  VERBATIM_BOOTSTRAP_INFERENCE_KEY: inferenceKey,
  VERBATIM_BOOTSTRAP_MINUTES: String(minutesBefore),
  VERBATIM_TRANSCRIBE_CONCURRENCY: "4"
})

const statusOf = (way: ClientOptions, { id }: Accepted) =>
  insist<Status>(way, { path: `/v1/status/${id}` })

/** Waits until no webhook is pending, or until a deadline. */
export const settled = async (way: ClientOptions, jobs: ReadonlyArray<Accepted>) => {
  const deadline = Date.now() + settleMillis
  let open = jobs
  while (open.length > 0 && Date.now() < deadline) {
    const statuses = await forEach(open, (job) => statusOf(way, job))
    open = open.filter((_, index) => statuses[index]?.webhook_status === "PENDING")
    if (open.length > 0) await sleep(500)
  }
}

/** Collects what the API and the receiver know about each job. */
export const known = (
  way: ClientOptions,
  { arrived, jobs }: { jobs: ReadonlyArray<Accepted>; arrived: ReadonlyArray<Arrived> }
): Promise<ReadonlyArray<Known>> => {
  const byJob = Map.groupBy(arrived, ({ callbackId }) => callbackId)
  return forEach(jobs, async (accepted) => ({
    accepted,
    status: await statusOf(way, accepted),
    history: await insist<History>(way, { path: `/v1/transcriptions/${accepted.id}/history` }),
    arrived: byJob.get(accepted.callbackId) ?? []
  }))
}

/** Returns the time between two submissions, so that jobs run for as long as faults occur. */
const paceMillis = ({ isProxied, jobs, kills, restartEvery }: RunOptions): number =>
  Math.max((kills * killMillis) / jobs, isProxied || restartEvery ? 100 : 0)

/**
 * Submits all jobs while faults occur, and waits until every job has ended. After all jobs are
 * accepted, no more processes are killed and no more proxies stop forwarding, but Postgres keeps
 * crashing until the end.
 */
const throughTroubles = async (
  way: ClientOptions,
  {
    callbackUrl,
    database,
    fleet,
    options
  }: {
    readonly options: RunOptions
    readonly callbackUrl: string
    readonly database: Database
    readonly fleet: Fleet
  }
) => {
  const { isProxied, jobs, kills, log, restartEvery = 0, seed } = options
  const [areAccepted, haveEnded] = [new AbortController(), new AbortController()]
  const submitting = async () => {
    const killed = killing(fleet, { dice: new Dice(seed + 3), kills })
    const accepted = await submitAll(way, {
      jobs,
      callbackUrl,
      paceMillis: paceMillis(options),
      onAccepted: (count) => count % 500 === 0 && log(`${count} jobs accepted`)
    })
    await killed
    log("all jobs are accepted, and no more kills")
    return accepted
  }
  const crashed = crashing(database, { everySeconds: restartEvery, signal: haveEnded.signal })
  const dice = new Dice(seed + 4)
  const silenced = isProxied && silencing(fleet, { dice, signal: areAccepted.signal })
  const ending = async () => {
    const accepted = await submitting().finally(() => areAccepted.abort())
    await silenced
    await settled(way, accepted)
    return accepted
  }
  const accepted = await ending().finally(() => haveEnded.abort())
  return { accepted, crashes: await crashed }
}

const sum = (fleet: Fleet, of: (place: Place) => number | undefined): number =>
  fleet.places.reduce((total, place) => total + (of(place) ?? 0), 0)

const numbersOf = (
  all: ReadonlyArray<Known>,
  { fleet, options }: { readonly fleet: Fleet; readonly options: RunOptions }
) => ({
  kills: sum(fleet, ({ kills }) => kills),
  ...(options.isProxied && {
    "lost responses to writes": sum(fleet, ({ proxy }) => proxy?.lostAnswers),
    silences: sum(fleet, ({ proxy }) => proxy?.silences)
  }),
  "attempts that lost their worker": all
    .flatMap(({ history }) => history.events)
    .filter(({ event }) => event === "attempt_lost").length,
  "webhook requests": all.reduce((total, { arrived }) => total + arrived.length, 0),
  "webhooks not delivered": all.filter(({ status }) => status.webhook_status === "FAILED").length
})

/** Runs the fault test once. */
export const run = async (options: RunOptions): Promise<Outcome> => {
  const { isProxied, jobs, kills, log, seed } = options
  const startedAt = Date.now()
  await using directory = await dataDirectory()
  using receiver = await startReceiver(new Dice(seed + 1))
  await using database = await openDatabase(options.database, directory.path)
  await using fleet = new Fleet({
    environment: environment(directory.path),
    databaseUrl: database.url,
    proxyDice: isProxied ? new Dice(seed + 5) : undefined
  })
  await fleet.add("http", 2)
  await fleet.add("worker", 3)
  const way = { addresses: fleet.addresses, key: inferenceKey, dice: new Dice(seed + 2) }
  log(`seed ${seed}: ${jobs} jobs, ${kills} kills, ${options.database}`)

  const situation = { callbackUrl: receiver.url, database, fleet, options }
  const { accepted, crashes } = await throughTroubles(way, situation)
  const all = await known(way, { jobs: accepted, arrived: receiver.arrived })
  const last = all.at(-1)?.status.balance_minutes ?? ""
  const counts = await database.counts()
  return {
    report: {
      "jobs lost": jobs - all.length,
      ...audit(all, { counts, minutesBefore, balanceMinutes: Number(last) }),
      "processes that crashed": fleet.falls
    },
    numbers: {
      ...numbersOf(all, { fleet, options }),
      crashes,
      seconds: Math.round((Date.now() - startedAt) / 1_000)
    },
    said: [...fleet.said, ...fleet.fallen]
  }
}
