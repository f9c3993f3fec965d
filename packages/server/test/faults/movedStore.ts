/**
 * Moves a store: its processes are killed while jobs run, and other processes continue with a copy.
 */
import { inferenceKey, operate } from "../ServerProcess.ts"
import { audit, type Report } from "./Audit.ts"
import { type Accepted, type ClientOptions, submitAll } from "./Clients.ts"
import type { Database } from "./Database.ts"
import { Dice } from "./Dice.ts"
import { Fleet } from "./Fleet.ts"
import type { startReceiver } from "./Receiver.ts"
import { environment, known, minutesBefore, settled } from "./Run.ts"

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A media folder and a database that some processes share. */
export interface Home {
  readonly directory: string
  readonly database: Database
  /** Additional environment variables for every process. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts processes in a home, and kills them on disposal. */
export const startLife = async ({ database, directory, settings }: Home) => {
  const fleet = new Fleet({
    environment: { ...environment(directory), ...settings },
    databaseUrl: database.url
  })
  await fleet.add("http", 1)
  await fleet.add("worker", 2)
  const way: ClientOptions = { addresses: fleet.addresses, key: inferenceKey, dice: new Dice(7) }
  return { fleet, way, [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() }
}

/** Submits jobs without a pause between them. */
export const submit = (way: ClientOptions, receiver: Receiver, jobs: number) =>
  submitAll(way, {
    jobs,
    callbackUrl: receiver.url,
    paceMillis: 0,
    onAccepted: () => undefined
  })

/** Waits until all jobs have ended, and audits them. */
export const judge = async (
  way: ClientOptions,
  {
    database,
    jobs,
    receiver
  }: {
    readonly database: Database
    readonly jobs: ReadonlyArray<Accepted>
    readonly receiver: Pick<Receiver, "arrived">
  }
): Promise<Report> => {
  await settled(way, jobs)
  const all = await known(way, { jobs, arrived: receiver.arrived })
  const balanceMinutes = Number(all.at(-1)?.status.balance_minutes)
  return audit(all, { counts: await database.counts(), minutesBefore, balanceMinutes })
}

/** Assigns a folder's media store to a copy of its database. */
export const adopt = async (directory: string, { url }: Database) => {
  const settings = { VERBATIM_DATABASE_URL: url }
  const { status, stderr } = await operate(directory, ["media", "adopt", "--yes"], settings)
  if (status !== 0) throw new Error(stderr)
}

/**
 * Copies a store. First waits until the sessions of killed processes have ended, because a server
 * can be slow to notice that a process is gone.
 */
export const copy = async (
  directory: string,
  {
    from,
    options = [],
    to
  }: {
    readonly from: Database
    readonly to: Database
    readonly options?: ReadonlyArray<string>
  }
) => {
  for (;;) {
    const ends = ["--from", from.url, "--to", to.url]
    const done = await operate(directory, ["copy", ...ends, ...options])
    if (!done.stderr.includes("is in use")) return done
  }
}
