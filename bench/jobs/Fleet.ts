/** Runs one side's processes on its database: one process that accepts jobs, and workers. */
import { fileURLToPath } from "node:url"
import { type MeasuredChild, ourFlags, startMeasured } from "../Child.ts"
import type { Order, Place } from "./serve.ts"

/** The programs to compare, keyed by name. */
export const programs = {
  ours: { file: "ours.ts", flags: ourFlags },
  "pg-boss": { file: "peers/pgboss.ts", flags: [] },
  "graphile-worker": { file: "peers/graphile.ts", flags: [] }
} as const

export type Side = keyof typeof programs

export interface Fleet extends AsyncDisposable {
  /** Submits jobs, and waits until all are accepted. */
  readonly accept: (order: Order) => Promise<void>
  /** The total CPU time of all workers since their start, in microseconds. */
  readonly workerCpu: () => Promise<number>
}

const start = (side: Side, place: Place): Promise<MeasuredChild> => {
  const { file, flags } = programs[side]
  return startMeasured({
    args: [...flags, fileURLToPath(new URL(file, import.meta.url))],
    environment: { ...process.env, BENCH_PLACE: JSON.stringify(place) }
  })
}

/**
 * Starts the processes. The accepting process starts first, because it creates the queue's tables.
 */
export const startFleet = async (
  side: Side,
  { workers, ...place }: Omit<Place, "role"> & { readonly workers: number }
): Promise<Fleet> => {
  const acceptor = await start(side, { ...place, role: "accept" })
  const others = await Promise.all(
    Array.from({ length: workers }, () => start(side, { ...place, role: "work" }))
  )
  return {
    accept: async (order) => {
      await acceptor.request(order)
    },
    workerCpu: async () => {
      const micros = await Promise.all(others.map(({ cpu }) => cpu()))
      return micros.reduce((sum, each) => sum + each, 0)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([acceptor, ...others].map((child) => child[Symbol.asyncDispose]()))
    }
  }
}
