/**
 * A process of a fleet: it works as long as it runs, or it accepts as many jobs as its parent asks
 * for. The program that calls `serve` supplies both.
 */

import { setTimeout as sleep } from "node:timers/promises"

/** What the parent tells a process when it starts it. */
export interface Place {
  readonly role: "accept" | "work"
  readonly databaseUrl: string
  readonly callbackUrl: string
}

/** Accepts one job; the number makes its callback id. */
export type Accept = (number: number) => Promise<void>

/** From the parent: accept that many jobs, numbered from `first`. */
export interface Order {
  readonly first: number
  readonly count: number
  /** Each at its own instant, however long others take; without it, some at a time. */
  readonly pace?: Pace
}

/** Instants that jobs come at. */
interface Pace {
  /** Of the first one, in milliseconds since 1970. */
  readonly startAt: number
  readonly perSecond: number
}

/** The instant of a job, counted from the first one. */
const instantOf = ({ perSecond, startAt }: Pace, index: number): number =>
  startAt + (index * 1_000) / perSecond

/** A client asks again when a server did not answer; what that takes counts. */
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

/** To the parent. */
export type Report = "ready" | "accepted"

/** Jobs that are being accepted at the same time. */
const acceptors = 16

/** Sessions of one process; what the program takes by default, so that peers have as many. */
export const sessions = 10

/** Attempts side by side in one process, of each of the two steps: enough that none waits idly. */
export const concurrency = 32

/** Of each recording. */
export const audioMillis = 60_000

/** What the engine hears in each of them. */
export const spoken = [
  { startMillis: 0, endMillis: 2_400, speaker: "speaker_0", text: "The harbour opens at nine." },
  { startMillis: 2_600, endMillis: 5_100, speaker: "speaker_1", text: "Then we meet at ten." }
]

/** The header by which the receiver tells jobs apart. */
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

/** Begins to work, or says that it is ready and waits for orders. Asked for `cpu`, it tells it. */
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
