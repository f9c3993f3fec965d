/**
 * Runs a process in a fleet: either a worker, or a process that accepts as many jobs as its parent
 * requests. The program that calls `serve` provides both.
 */
import { repeat } from "../Rounds.ts"

/** The options that the parent passes to a process. */
export interface Place {
  readonly role: "accept" | "work"
  readonly databaseUrl: string
  readonly callbackUrl: string
}

/** Accepts one job. The number determines its callback id. */
export type Accept = (number: number) => Promise<void>

/** The parent's order to accept `count` jobs, numbered from `first`. */
export interface Order {
  readonly first: number
  readonly count: number
}

/** Number of jobs that are accepted concurrently. */
const acceptors = 16

/** Number of database sessions per process: our program's default, which the peers also use. */
export const sessions = 10

/**
 * Number of concurrent attempts per process for each of the two steps, enough to keep a process
 * busy.
 */
export const concurrency = 32

export const audioMillis = 60_000

/** Each recording's recognised text. */
export const spoken = [
  { startMillis: 0, endMillis: 2_400, speaker: "speaker_0", text: "The harbour opens at nine." },
  { startMillis: 2_600, endMillis: 5_100, speaker: "speaker_1", text: "Then we meet at ten." }
]

/** Returns the callback id by which the receiver identifies a job. */
export const callbackIdOf = (number: number): string => `job-${number}`

/** Starts the worker, or reports that the process can accept jobs. */
export const serve = async (sides: {
  readonly work: (place: Place) => Promise<void>
  readonly accept: (place: Place) => Promise<Accept>
}): Promise<void> => {
  const place: Place = JSON.parse(process.env.BENCH_PLACE ?? "")
  process.on("disconnect", () => process.exit())
  // Keeps the process running, because the CPU report would otherwise let it exit.
  process.channel?.ref()
  const accept = place.role === "accept" ? await sides.accept(place) : undefined
  if (accept === undefined) await sides.work(place)
  process.on("message", async (order: Order | "cpu") => {
    if (order === "cpu" || accept === undefined) return
    await repeat(order.count, acceptors, (turn) => accept(order.first + turn))
    process.send?.("accepted")
  })
  console.log("The process is ready")
}
