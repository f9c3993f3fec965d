/** Runs one side's processes on its database: one process that accepts jobs, and workers. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { cpuOf, cpuReportArgument } from "../ServerChild.ts"
import type { Order, Place, Report } from "./Child.ts"

/** The programs to compare, keyed by name. */
export const programs = {
  ours: {
    file: "ours.ts",
    flags: ["--conditions=@verbatim/source", "--min-semi-space-size=16", "--max-semi-space-size=16"]
  },
  "pg-boss": { file: "peers/pgboss.ts", flags: [] },
  "graphile-worker": { file: "peers/graphile.ts", flags: [] }
} as const

export type Side = keyof typeof programs

/** Time limit for a start, which takes two seconds when no other process is starting. */
const startMillis = 120_000

export interface Fleet extends AsyncDisposable {
  /** Submits jobs, and waits until all are accepted. */
  readonly accept: (order: Order) => Promise<void>
  /** The total CPU time of all workers since their start, in microseconds. */
  readonly workerCpu: () => Promise<number>
}

const said = async (child: ChildProcess, report: Report): Promise<void> => {
  const signal = AbortSignal.timeout(startMillis)
  const ended = once(child, "exit", { signal }).then(() => {
    throw new Error(`a process ended before it was ${report}`)
  })
  ended.catch(() => undefined)
  for (;;) {
    const [message] = await Promise.race([once(child, "message", { signal }), ended])
    if (message === report) return
  }
}

const start = async (side: Side, place: Place): Promise<ChildProcess> => {
  const { file, flags } = programs[side]
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], {
    execArgv: [cpuReportArgument, ...flags],
    env: { ...process.env, BENCH_PLACE: JSON.stringify(place) }
  })
  await said(child, "ready")
  return child
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
      const accepted = said(acceptor, "accepted")
      acceptor.send(order)
      await accepted
    },
    workerCpu: async () => {
      const micros = await Promise.all(others.map(cpuOf))
      return micros.reduce((sum, each) => sum + each, 0)
    },
    [Symbol.asyncDispose]: async () => {
      const all = [acceptor, ...others]
      await Promise.all(
        all.map(async (child) => {
          const gone = once(child, "exit")
          if (child.exitCode !== null || child.signalCode !== null) return
          child.disconnect()
          await gone
        })
      )
    }
  }
}
