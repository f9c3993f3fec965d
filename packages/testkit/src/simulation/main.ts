/**
 * The command `verbatim-simulate` runs many seeds on two threads, or one seed with its trace. It
 * drops unnecessary faults from a failed run, and prints a command to replay it.
 */
import { availableParallelism } from "node:os"
import { parseArgs } from "node:util"
import { isMainThread, parentPort, Worker } from "node:worker_threads"
import { type FaultName, faultNames } from "./faults/Faults.ts"
import { lines } from "./record/Trace.ts"
import { type Outcome, run, shrink } from "./Simulation.ts"

/** Number of threads. More threads would compete for CPU caches. */
const threadMax = 2

/** Number of failures to shrink and show. The seeds of all failures are listed. */
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

/** The counts of one run, which a thread sends to the main thread. */
interface Counts extends Pick<Outcome, "jobs" | "seed" | "simulatedMillis" | "steps" | "struck"> {
  readonly isBroken: boolean
}

const countsOf = ({ jobs, seed, simulatedMillis, steps, struck, violations }: Outcome): Counts => ({
  ...{ jobs, seed, simulatedMillis, steps, struck },
  isBroken: violations.length > 0
})

const hourMillis = 3_600_000

/** Formats a summary of the runs as lines. `elapsedMillis` is their duration in real time. */
const summaryLines = (runs: ReadonlyArray<Counts>, elapsedMillis: number) => {
  const sum = (count: (run: Counts) => number) =>
    runs.reduce((total, each) => total + count(each), 0)
  const struck = faultNames.map((name) => sum((run) => run.struck.get(name) ?? 0))
  const seconds = elapsedMillis / 1_000
  const rate = (runs.length / seconds).toFixed(1)
  return [
    "",
    `faults that struck, ${struck.filter(Boolean).length} of ${faultNames.length}`,
    ...faultNames.map((name, index) => `${String(struck[index]).padStart(9)}  ${name}`),
    "",
    `${runs.length} seeds in ${seconds.toFixed(1)} s, ${rate} seeds/s`,
    `${sum(({ isBroken }) => Number(isBroken))} seeds in which a guarantee did not hold`,
    `${(sum((run) => run.simulatedMillis) / hourMillis).toFixed(1)} simulated hours, ` +
      `${sum((run) => run.jobs)} accepted jobs, ${sum((run) => run.steps)} steps`
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
  const summary = summaryLines([countsOf(outcome)], performance.now() - started)
  console.log(summary.slice(-3).join("\n"))
  if (outcome.violations.length > 0) process.exitCode = 1
}

/** Runs seeds on one thread until no seed is left, and returns their counts. */
const thread = (seeds: Iterator<number>): Promise<ReadonlyArray<Counts>> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url))
    const runs: Array<Counts> = []
    const give = () => {
      const { done, value } = seeds.next()
      if (done) void worker.terminate().then(() => resolve(runs))
      else worker.postMessage(value)
    }
    worker.on("message", (counts: Counts) => {
      if (counts.isBroken) console.log(`seed ${counts.seed}: a guarantee did not hold`)
      runs.push(counts)
      give()
    })
    worker.on("error", reject)
    give()
  })

const many = async (from: number, count: number): Promise<void> => {
  const threads = Math.min(threadMax, availableParallelism())
  console.log(`seeds ${from} to ${from + count - 1} on ${threads} threads`)
  const started = performance.now()
  const seeds = Array.from({ length: count }, (_, index) => from + index).values()
  const runs = (await Promise.all(Array.from({ length: threads }, () => thread(seeds)))).flat()
  console.log(summaryLines(runs, performance.now() - started).join("\n"))
  const broken = runs.filter(({ isBroken }) => isBroken).map(({ seed }) => seed)
  for (const seed of broken.sort((one, other) => one - other).slice(0, shownMax)) explain(seed)
  if (broken.length > 0) process.exitCode = 1
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
  parentPort?.on("message", (seed: number) => parentPort?.postMessage(countsOf(run({ seed }))))
}
