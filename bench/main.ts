/**
 * Measurements beside hand-written peers: `npm run bench` runs all of them, `npm run bench presets`
 * the ones that are named, `npm run bench jobs -- --workers 1,2 --rounds 3 --no-history` a short
 * form. `npm run bench retention -- --old 1000000 --rate 20 --seconds 30` lets old jobs go. What
 * counts is the ratio: both sides run on one machine, turn by turn.
 */
import { parseArgs } from "node:util"
import { measureAppend } from "./append/measure.ts"
import { measureConsole } from "./console/measure.ts"
import { measureCorrections } from "./corrections/measure.ts"
import { measureJobs } from "./jobs/measure.ts"
import { measureMetrics } from "./metrics/measure.ts"
import { measureOpen } from "./open/measure.ts"
import { measurePresets } from "./presets/measure.ts"
import { measureRenderings } from "./renderings/measure.ts"
import { measureResolve } from "./resolve/measure.ts"
import { measureRetention } from "./retention/measure.ts"
import { measureTenants } from "./tenants/measure.ts"
import { measureTranscribe } from "./transcribe/measure.ts"

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    workers: { type: "string", default: "1,2,4" },
    rounds: { type: "string", default: "5" },
    history: { type: "boolean", default: true },
    old: { type: "string", default: "100000" },
    rate: { type: "string", default: "20" },
    seconds: { type: "string", default: "30" }
  }
})

const jobs = () =>
  measureJobs({
    workerCounts: values.workers.split(",").map(Number),
    roundCount: Number(values.rounds),
    hasHistory: values.history
  })

const retention = () =>
  measureRetention({
    oldCount: Number(values.old),
    perSecond: Number(values.rate),
    roundSeconds: Number(values.seconds)
  })

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  append: measureAppend,
  console: measureConsole,
  corrections: measureCorrections,
  jobs,
  metrics: measureMetrics,
  open: () => measureOpen({ roundCount: Number(values.rounds) }),
  presets: measurePresets,
  renderings: measureRenderings,
  resolve: measureResolve,
  retention,
  tenants: () => measureTenants({ roundCount: Number(values.rounds) }),
  transcribe: measureTranscribe
}

const known = Object.keys(benchmarks)
const unknown = asked.filter((name) => !known.includes(name))

if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there is ${known.join(", ")}`)
  process.exitCode = 1
} else {
  for (const name of asked.length > 0 ? asked : known) await benchmarks[name]?.()
}
