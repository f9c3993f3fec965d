/**
 * Checks the real stores under concurrency: `npm run check:stores -- --operations 1000000
 * --database postgres`. Exits with 1 if a result cannot be explained or is not allowed. `--records
 * FILE` saves the records of the first such round, and `--judge FILE` judges saved records again.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { check, judge, type Recorded, type Report } from "@verbatim/testkit/concurrency"
import { Effect } from "effect"
import { onPostgres, onSqlite } from "../packages/adapters/test/concurrency/Members.ts"

/** Maximum number of violations to show. The total number of violations is also printed. */
const shownMax = 5

const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "100000" },
    database: { type: "string", default: "sqlite" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: "2" },
    fibers: { type: "string", default: "24" },
    minutes: { type: "string", default: "60" },
    round: { type: "string", default: "20000" },
    records: { type: "string" },
    judge: { type: "string" }
  }
})

const [seed, count] = [Number(values.seed), Number(values.processes)]
const open = values.database === "postgres" ? onPostgres : onSqlite

const shares = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, number]) => `${name} ${number}`)
    .join(", ") || "none"

let startedAt = performance.now()
const seconds = (): number => (performance.now() - startedAt) / 1_000

let shown = 0

const printRound = ({ rounds, statistics, violations }: Report): void => {
  const rate = Math.round(statistics.total / seconds())
  console.log(
    `round ${rounds}: ${statistics.total} operations in ${seconds().toFixed(0)} s (${rate}/s), ` +
      `${violations.length} violations`
  )
  for (const violation of violations.slice(shown, shownMax)) console.log(`\n${violation}\n`)
  shown = violations.length
}

const keep = (records: ReadonlyArray<Recorded>): void => {
  if (values.records === undefined || existsSync(values.records)) return
  writeFileSync(values.records, JSON.stringify(records))
}

/** Runs a round, and reports the outcome. */
const play = async (): Promise<number> => {
  console.log(`seed ${seed}: ${values.operations} operations on ${values.database}`)
  await using processes = await open({ seed, count })
  startedAt = performance.now()
  const deadline = startedAt + Number(values.minutes) * 60_000
  const report = await Effect.runPromise(
    check({
      seed,
      operations: Number(values.operations),
      members: processes.members,
      fibers: Number(values.fibers),
      roundSize: Number(values.round),
      goesOn: () => performance.now() < deadline,
      onRound: printRound,
      onViolation: keep
    })
  )
  const { calls, refused, total, unknown } = report.statistics
  console.log(`${total} operations, ${Math.round(total / seconds())} a second`)
  console.log(`calls: ${shares(calls)}`)
  console.log(`refused: ${shares(refused)}`)
  console.log(`without an answer: ${shares(unknown)}`)
  console.log(`${report.violations.length} violations, ${report.undecided} objects undecided`)
  return report.violations.length + report.undecided
}

const judgeAgain = (file: string): number => {
  const { undecided, violations } = judge(JSON.parse(readFileSync(file, "utf8")))
  for (const violation of violations) console.log(`\n${violation}\n`)
  console.log(`${violations.length} violations, ${undecided} objects undecided`)
  return violations.length + undecided
}

// An object that could not be judged counts as a failure.
const found = values.judge === undefined ? await play() : judgeAgain(values.judge)
if (found > 0) process.exitCode = 1
