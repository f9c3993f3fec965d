/**
 * A process in a fleet: either a worker, or a process that accepts as many jobs as its parent
 * orders. The program that calls `serve` provides the code for both.
 */

import { setTimeout as sleep } from "node:timers/promises"

/** The options that the parent passes to a process. */
export interface Place {
  readonly role: "accept" | "work"
  readonly databaseUrl: string
  readonly callbackUrl: string
}

/** Accepts one job. The number determines its callback id. */
export type Accept = (number: number) => Promise<void>

/** An order from the parent: accept a number of jobs, numbered from `first`. */
export interface Order {
  readonly first: number
  readonly count: number
  /**
   * If set, each job is submitted at its own instant, however long other jobs take. Otherwise,
   * several jobs are submitted concurrently.
   */
  readonly pace?: Pace
}

/** The instants of the jobs. */
interface Pace {
  /** The instant of the first job, in milliseconds since 1970. */
  readonly startAt: number
  readonly perSecond: number
}

/** A job's instant, relative to the first job's. */
const instantOf = ({ perSecond, startAt }: Pace, index: number): number =>
  startAt + (index * 1_000) / perSecond

/** A client repeats a request that failed, and the time for this is part of the measurement. */
const askMax = 20
const askMillis = 250

const insist = async (ask: () => Promise<void>): Promise<void> => {
  for (let asked = 1; ; asked += 1) {
    try {
      return await ask()
    } catch (error) {
      if (asked === askMax) throw error
      await sleep(askMillis)
    }
  }
}

const acceptPaced = (accept: Accept, { count, first }: Order, pace: Pace) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep(Math.max(0, instantOf(pace, index) - Date.now()))
      await insist(() => accept(first + index))
    })
  )

/** A message to the parent. */
export type Report = "ready" | "accepted"

/** Jobs that are accepted concurrently. */
const acceptors = 16

/**
 * The number of database sessions per process. This is the default of our program, and the peers
 * use the same number.
 */
export const sessions = 10

/**
 * The number of concurrent attempts per process for each of the two steps. This number keeps a
 * process busy.
 */
export const concurrency = 32

/** The length of each recording. */
export const audioMillis = 60_000

/** Each recording's recognised text. */
export const spoken = [
  { startMillis: 0, endMillis: 2_400, speaker: "speaker_0", text: "The harbour opens at nine." },
  { startMillis: 2_600, endMillis: 5_100, speaker: "speaker_1", text: "Then we meet at ten." }
]

/** The header that identifies jobs at the receiver. */
export const callbackIdOf = (number: number): string => `job-${number}`

const tell = (report: Report) => process.send?.(report)

const acceptAll = async (accept: Accept, order: Order): Promise<void> => {
  const { count, first, pace } = order
  if (pace !== undefined) {
    await acceptPaced(accept, order, pace)
    return
  }
  let next = first
  const loop = async () => {
    while (next < first + count) {
      next += 1
      await accept(next - 1)
    }
  }
  await Promise.all(Array.from({ length: acceptors }, loop))
}

/**
 * Starts to work, or reports that the process is ready for orders. On `cpu`, the process reports
 * its processor time.
 */
export const serve = async (sides: {
  readonly work: (place: Place) => Promise<void>
  readonly accept: (place: Place) => Promise<Accept>
}): Promise<void> => {
  const place: Place = JSON.parse(process.env.BENCH_PLACE ?? "")
  process.on("disconnect", () => process.exit())
  const accept = place.role === "accept" ? await sides.accept(place) : undefined
  if (accept === undefined) await sides.work(place)
  process.on("message", async (order: Order | "cpu") => {
    if (order === "cpu") {
      const { system, user } = process.cpuUsage()
      process.send?.(system + user)
    } else if (accept !== undefined) {
      await acceptAll(accept, order)
      tell("accepted")
    }
  })
  tell("ready")
}
