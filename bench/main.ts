/**
 * Measurements beside hand-written peers: `npm run bench` runs all of them, `npm run bench presets`
 * the ones that are named, `npm run bench jobs -- --workers 1,2 --rounds 3 --no-history` a short
 * form. What counts is the ratio: both sides run on one machine, turn by turn.
 */
import { parseArgs } from "node:util"
import { measureJobs } from "./jobs/measure.ts"
import { measureOpen } from "./open/measure.ts"
import { measurePresets } from "./presets/measure.ts"
import { measureRenderings } from "./renderings/measure.ts"
import { measureResolve } from "./resolve/measure.ts"

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    workers: { type: "string", default: "1,2,4" },
    rounds: { type: "string", default: "5" },
    history: { type: "boolean", default: true }
  }
})

const jobs = () =>
  measureJobs({
    workerCounts: values.workers.split(",").map(Number),
    roundCount: Number(values.rounds),
    hasHistory: values.history
  })

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  jobs,
  open: () => measureOpen({ roundCount: Number(values.rounds) }),
  presets: measurePresets,
  renderings: measureRenderings,
  resolve: measureResolve
}

const known = Object.keys(benchmarks)
const unknown = asked.filter((name) => !known.includes(name))

if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there is ${known.join(", ")}`)
  process.exitCode = 1
} else {
  for (const name of asked.length > 0 ? asked : known) await benchmarks[name]?.()
}
