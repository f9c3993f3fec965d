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
import { type Arrived, startReceiver } from "./Receiver.ts"

/** Pause between two kills, long enough for a process to start and claim work. */
const killMillis = 1_500

/**
 * At most this share of the kills hits processes that are still starting. Without this limit, all
 * kills would hit such processes on a busy machine.
 */
const startShare = 0.15

/**
 * A worker is killed only if at least this many are running, so that another can take over.
 * Otherwise, no worker might run for minutes on a busy machine, where starting takes seconds.
 */
const upMin = 2

/**
 * A worker that is killed midway must have at least this much work left: more than a kill takes.
 */
const workMillisMin = 400

/** The first kill waits at most this long for a worker with enough work left. */
const workWaitMillis = 60_000

/** One worker permanently loses its database after this delay. */
const aloneMillis = 2_000

/**
 * A proxy stops forwarding for at most this long, which can be shorter or longer than a statement
 * timeout.
 */
const silenceMillisMax = 9_000

const workersOf = (fleet: Fleet): ReadonlyArray<Place> =>
  fleet.places.filter(({ role }) => role === "worker")

const upOf = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  places.filter(({ isUp }) => isUp)

/**
 * Waits for a worker whose task takes long enough to be interrupted. Returns undefined if there is
 * none within the time limit.
 */
const busyWorker = async (fleet: Fleet): Promise<Place | undefined> => {
  const deadline = Date.now() + workWaitMillis
  while (Date.now() < deadline) {
    const enough = Date.now() + workMillisMin
    const busy = workersOf(fleet).find(({ worksUntil }) => worksUntil > enough)
    if (busy !== undefined) return busy
    await sleep(10)
  }
  return undefined
}

/**
 * Kills this many processes, workers more often than others. The first kill hits a busy worker,
 * because a run without lost work would prove nothing.
 */
const killing = async (fleet: Fleet, { dice, kills }: { dice: Dice; kills: number }) => {
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(killMillis * (0.5 + dice.next()))
    // By now, all other processes are running or starting, and none of them is killed here.
    const busy = killed === 0 ? await busyWorker(fleet) : undefined
    while (busy === undefined && upOf(workersOf(fleet)).length < upMin) await sleep(50)
    const among = dice.chance(0.8) ? workersOf(fleet) : fleet.places
    const up = dice.chance(startShare) ? [] : upOf(among)
    const chosen = up.length > 0 ? up : among
    const victim = busy ?? chosen[dice.below(chosen.length)]
    if (victim !== undefined) await fleet.kill(victim)
  }
}

/** Pauses. Returns false if a signal ends the pause. */
const rested = (millis: number, signal: AbortSignal): Promise<boolean> =>
  sleep(millis, true, { signal }).catch(() => false)

/** Crashes and restarts Postgres repeatedly, and leaves it running. */
const crashing = async (
  { crash, start }: Database,
  { everySeconds, signal }: { everySeconds: number; signal: AbortSignal }
): Promise<number> => {
  let crashes = 0
  if (everySeconds <= 0) return crashes
  if (crash === undefined || start === undefined) {
    throw new Error("only the run's own Postgres can be crashed: unset DATABASE_URL")
  }
  while (await rested(everySeconds * 1_000, signal)) {
    await crash()
    await start()
    crashes += 1
  }
  return crashes
}

/**
 * Makes the proxies to Postgres stop forwarding one after another, each for a few seconds. The
 * proxy of the first worker stops permanently, so that this worker runs without a database until it
 * is killed.
 */
const silencing = async (
  fleet: Fleet,
  { dice, signal }: { dice: Dice; signal: AbortSignal }
): Promise<void> => {
  const [lonely] = workersOf(fleet)
  const others = fleet.places.filter((place) => place !== lonely)
  if (!(await rested(aloneMillis, signal))) return
  while (lonely?.isUp === false) await sleep(100)
  lonely?.proxy?.silence()
  while (await rested(2_000 * dice.next(), signal)) {
    const { proxy } = others[dice.below(others.length)] ?? {}
    proxy?.silence()
    await rested(silenceMillisMax * dice.next() ** 2, signal)
    proxy?.resume()
  }
  for (const { proxy } of fleet.places) proxy?.calm()
}

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
