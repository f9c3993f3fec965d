/**
 * `npm run test:faults -- --jobs 2000 --kills 200`: real processes over one database, killed at
 * random while clients hand in jobs and receivers fail. `--database postgres`, `--restart-every 5`
 * and `--proxy` add what befalls a database. Ends with 1 when anything was lost, done twice, or
 * told wrongly.
 */
import { parseArgs } from "node:util"
import { run } from "./Run.ts"

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "200" },
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    database: { type: "string", default: "sqlite" },
    "restart-every": { type: "string", default: "0" },
    proxy: { type: "boolean", default: false }
  }
})

const outcome = await run({
  jobs: Number(values.jobs),
  kills: Number(values.kills),
  seed: Number(values.seed),
  database: values.database === "postgres" ? "postgres" : "sqlite",
  restartEvery: Number(values["restart-every"]),
  isProxied: values.proxy,
  log: (line) => console.log(line)
})

/**
 * The longest time from a kill to the claim that finds out, if nothing due earlier waits: a lease,
 * a look at the queue, a reserve.
 */
const recoveryMillisMax = 33_000

// A database that is away may hold up whoever finds out.
const areKillsAlone = !values.proxy && Number(values["restart-every"]) === 0
const recoveryMillis = outcome.numbers["first in line, p99 (ms)"] ?? 0
const isLate = areKillsAlone && recoveryMillis > recoveryMillisMax
if (isLate) console.error(`Recovery took too long: ${recoveryMillis} ms (p99)`)

const violations = Object.values(outcome.report).reduce((sum, found) => sum + found, 0)
console.table(outcome.report)
console.log(outcome.numbers)
if (violations > 0) console.error(outcome.said.slice(-60).join("\n"))
process.exitCode = violations > 0 || isLate ? 1 : 0
