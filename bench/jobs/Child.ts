/**
 * A process of a fleet: a worker, or one that accepts as many jobs as its parent orders. The
 * program that calls `serve` supplies both.
 */

import { setTimeout as sleep } from "node:timers/promises"

/** The options that the parent passes to a process. */
export interface Place {
  readonly role: "accept" | "work"
  readonly databaseUrl: string
  readonly callbackUrl: string
}

/** Accepts one job; the number determines its callback id. */
export type Accept = (number: number) => Promise<void>

/** An order from the parent: accept a number of jobs, numbered from `first`. */
export interface Order {
  readonly first: number
  readonly count: number
  /**
   * If set, each job is submitted at its own instant, however long others take. If not, several are
   * submitted at a time.
   */
  readonly pace?: Pace
}

/** The instants of the jobs. */
interface Pace {
  /** The instant of the first job, in milliseconds since 1970. */
  readonly startAt: number
  readonly perSecond: number
}

/** The instant of a job, relative to the first one. */
const instantOf = ({ perSecond, startAt }: Pace, index: number): number =>
  startAt + (index * 1_000) / perSecond

/** A client repeats a request that was not answered; that time counts. */
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

/** Sessions of one process: our program's default, so that peers have as many. */
export const sessions = 10

/** Concurrent attempts in one process for each of the two steps: enough to keep it busy. */
export const concurrency = 32

/** The length of each recording. */
export const audioMillis = 60_000

/** The recognised text of each recording. */
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
 * Starts to work, or reports that the process is ready for orders. On `cpu` it reports its
 * processor time.
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
