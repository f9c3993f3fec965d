/**
 * `npm run test:faults -- --jobs 2000 --kills 200`: runs real processes over one database and kills
 * them at random, while clients submit jobs and receivers fail. `--database postgres`,
 * `--restart-every 5` and `--proxy` add database faults. Exits with 1 if anything was lost, done
 * twice, or reported incorrectly.
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

const violations = Object.values(outcome.report).reduce((sum, found) => sum + found, 0)
console.table(outcome.report)
console.log(outcome.numbers)
if (violations > 0) console.error(outcome.said.slice(-60).join("\n"))
process.exitCode = violations > 0 ? 1 : 0
