/**
 * Compares our programs with hand-written peers: `npm run bench` runs all benchmarks, and `npm run
 * bench presets` only the named one. For short runs, use `npm run bench jobs -- --workers 1,2
 * --rounds 3` and `npm run bench growth -- --jobs 20000 --presets 2000 --versions 200`. Only the
 * ratio matters, because both programs run in turn on one machine.
 */
import { parseArgs } from "node:util"
import { measureGrowth } from "./growth/measure.ts"
import { measureJobs } from "./jobs/measure.ts"
import { measurePresets, measureResolve } from "./presets/measure.ts"

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: "string", default: "1,2,4" },
    rounds: { type: "string", default: "5" },
    jobs: { type: "string", default: "1000000" },
    presets: { type: "string", default: "100000" },
    versions: { type: "string", default: "10000" }
  }
})

const jobs = () =>
  measureJobs({
    workerCounts: values.workers.split(",").map(Number),
    roundCount: Number(values.rounds)
  })

const growth = () =>
  measureGrowth({
    jobs: Number(values.jobs),
    presets: Number(values.presets),
    versions: Number(values.versions)
  })

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  growth,
  jobs,
  presets: measurePresets,
  resolve: measureResolve
}

const known = Object.keys(benchmarks)
const unknown = asked.filter((name) => !known.includes(name))

if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(", ")}; known are ${known.join(", ")}`)
  process.exitCode = 1
} else {
  for (const name of asked.length > 0 ? asked : known) await benchmarks[name]?.()
}
