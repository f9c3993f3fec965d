/**
 * Measurements beside hand-written peers: `npm run bench` runs all of them, `npm run bench presets`
 * the ones that are named. What counts is the ratio: both sides run on one machine, turn by turn.
 */
import { measureAppend } from "./append/measure.ts"
import { measureJobs } from "./jobs/measure.ts"
import { measurePresets } from "./presets/measure.ts"
import { measureRenderings } from "./renderings/measure.ts"

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  append: measureAppend,
  jobs: measureJobs,
  presets: measurePresets,
  renderings: measureRenderings
}

const known = Object.keys(benchmarks)
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.includes(name))

if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there is ${known.join(", ")}`)
  process.exitCode = 1
} else {
  for (const name of asked.length > 0 ? asked : known) await benchmarks[name]?.()
}
