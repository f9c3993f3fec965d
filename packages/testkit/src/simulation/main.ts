/**
 * The command `verbatim-simulate` runs many seeds on two threads, or one seed with its trace. It
 * shrinks a failure to the necessary faults, and prints a command to replay it.
 */
import { availableParallelism } from "node:os"
import { parseArgs } from "node:util"
import { isMainThread, parentPort, Worker } from "node:worker_threads"
import { type FaultName, faultNames } from "./faults/Faults.ts"
import { lines } from "./record/Trace.ts"
import { type Outcome, run, shrink } from "./Simulation.ts"

/** Number of seeds per batch, so that a thread reports about once a second. */
const batchSize = 20

/** Number of threads. More threads would compete for CPU caches. */
const threadMax = 2

/** Number of failures that are shrunk and shown. The seeds of all failures are listed. */
const shownMax = 3

const command = {
  seeds: { type: "string", default: "1000" },
  from: { type: "string", default: "1" },
  seed: { type: "string" },
  faults: { type: "string" },
  trace: { type: "boolean", default: false }
} as const

const isFault = (name: string): name is FaultName => faultNames.some((known) => known === name)

/** Parses a list of faults. The error names any unknown faults. */
const faultsOf = (list: string | undefined): { readonly faults?: ReadonlyArray<FaultName> } => {
  if (list === undefined) return {}
  const names = list.split(",").map((name) => name.trim())
  const strange = names.filter((name) => name !== "" && !isFault(name))
  if (strange.length > 0) throw new Error(`no such fault: ${strange.join(", ")}`)
  return { faults: names.filter(isFault) }
}

// Summaries of many runs; those of several threads can be added.

/** Counts of seeds, jobs, faults and violations over many runs. */
interface Summary {
  readonly seeds: number
  readonly simulatedMillis: number
  readonly steps: number
  readonly jobs: number
  readonly struck: Readonly<Partial<Record<FaultName, number>>>
  readonly failed: ReadonlyArray<number>
}

/** The summary of no runs. */
const noRuns: Summary = {
  seeds: 0,
  simulatedMillis: 0,
  steps: 0,
  jobs: 0,
  struck: {},
  failed: []
}

/** Summarises one run. */
const summarise = (outcome: Outcome): Summary => ({
  seeds: 1,
  simulatedMillis: outcome.simulatedMillis,
  steps: outcome.steps,
  jobs: outcome.jobs,
  struck: Object.fromEntries(outcome.struck),
  failed: outcome.violations.length > 0 ? [outcome.seed] : []
})

type Counts = Readonly<Record<string, number>>

const addCounts = (a: Counts, b: Counts): Counts => {
  const total: Record<string, number> = { ...a }
  for (const [name, count] of Object.entries(b)) total[name] = (total[name] ?? 0) + count
  return total
}

const addSummaries = (a: Summary, b: Summary): Summary => ({
  seeds: a.seeds + b.seeds,
  simulatedMillis: a.simulatedMillis + b.simulatedMillis,
  steps: a.steps + b.steps,
  jobs: a.jobs + b.jobs,
  struck: addCounts(a.struck, b.struck),
  failed: [...a.failed, ...b.failed].sort((one, other) => one - other)
})

const hourMillis = 3_600_000

/** Formats a summary as lines. `elapsedMillis` is how long the runs took in real time. */
const summaryLines = (summary: Summary, elapsedMillis: number): ReadonlyArray<string> => {
  const seconds = elapsedMillis / 1_000
  const rate = summary.seeds / seconds
  const struck = faultNames.filter((name) => (summary.struck[name] ?? 0) > 0).length
  return [
    "",
    `faults that struck, ${struck} of ${faultNames.length}`,
    ...faultNames.map((name) => `${String(summary.struck[name] ?? 0).padStart(9)}  ${name}`),
    "",
    `${summary.seeds} seeds in ${seconds.toFixed(1)} s, ${rate.toFixed(1)} seeds/s`,
    `${summary.failed.length} seeds in which a guarantee did not hold`,
    `${(summary.simulatedMillis / hourMillis).toFixed(1)} simulated hours, ` +
      `${summary.jobs} accepted jobs, ${summary.steps} steps`
  ]
}

const tell = ({ faults, hash, seed, violations }: Outcome): void => {
  for (const { rule, what } of violations) console.log(`seed ${seed}: ${rule}\n  ${what}`)
  console.log(`seed ${seed}: hash ${hash}, faults: ${faults.join(", ")}`)
}

/** Shrinks a failure, and prints the smallest run that still fails. */
const explain = (seed: number): void => {
  console.log(`\nseed ${seed} fails`)
  const smallest = shrink({ seed }, run({ seed }))
  console.log(lines(smallest.trace).join("\n"))
  tell(smallest)
  console.log(`verbatim-simulate --seed ${seed} --trace --faults "${smallest.faults.join(",")}"`)
}

const runSeed = (seed: number, list: string | undefined, isTraced: boolean): void => {
  console.log(`seed ${seed}`)
  const started = performance.now()
  const outcome = run({ seed, ...faultsOf(list) })
  if (isTraced) console.log(lines(outcome.trace).join("\n"))
  tell(outcome)
  const summary = summaryLines(summarise(outcome), performance.now() - started)
  console.log(summary.slice(-3).join("\n"))
  if (outcome.violations.length > 0) process.exitCode = 1
}

const batches = (from: number, count: number): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: Math.ceil(count / batchSize) }, (_, batch) =>
    Array.from(
      { length: Math.min(batchSize, count - batch * batchSize) },
      (_, index) => from + batch * batchSize + index
    )
  )

/** Runs batches on one thread until no batch is left. Returns the summaries of these batches. */
const thread = (left: Array<ReadonlyArray<number>>): Promise<Summary> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url))
    let total = noRuns
    const give = () => {
      const batch = left.shift()
      if (batch === undefined) void worker.terminate().then(() => resolve(total))
      else worker.postMessage(batch)
    }
    worker.on("message", (part: Summary) => {
      for (const seed of part.failed) console.log(`seed ${seed}: a guarantee did not hold`)
      total = addSummaries(total, part)
      give()
    })
    worker.on("error", reject)
    give()
  })

const many = async (from: number, count: number): Promise<void> => {
  const threads = Math.min(threadMax, availableParallelism())
  console.log(`seeds ${from} to ${from + count - 1} on ${threads} threads`)
  const started = performance.now()
  const left = [...batches(from, count)]
  const parts = await Promise.all(Array.from({ length: threads }, () => thread(left)))
  const summary = parts.reduce(addSummaries, noRuns)
  console.log(summaryLines(summary, performance.now() - started).join("\n"))
  for (const seed of summary.failed.slice(0, shownMax)) explain(seed)
  if (summary.failed.length > 0) process.exitCode = 1
}

const whole = (name: string, text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`)
  return value
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: command })
  const { faults, from, seed, seeds, trace } = values
  if (seed !== undefined) return runSeed(whole("seed", seed), faults, trace)
  return many(whole("from", from), whole("seeds", seeds))
}

if (isMainThread) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  })
} else {
  parentPort?.on("message", (seeds: ReadonlyArray<number>) => {
    const parts = seeds.map((seed) => summarise(run({ seed })))
    parentPort?.postMessage(parts.reduce(addSummaries, noRuns))
  })
}
