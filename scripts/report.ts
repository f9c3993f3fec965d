/**
 * Prints the last lines of a check, which are the failed tests and one line of numbers. The
 * arguments are the runner's report and exit status for each run: `node scripts/report.ts
 * <report.json> <exit status of the runner> …`.
 */
import { readFileSync } from "node:fs"
import { failuresIn, lineOf, type Run } from "./documents/Report.ts"

const read = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

const words = process.argv.slice(2)
const runs = words.flatMap(
  (path, index): ReadonlyArray<Run> =>
    index % 2 === 0 ? [{ report: read(path), status: Number(words[index + 1] ?? 1) }] : []
)
for (const failure of failuresIn(runs)) console.log(failure)
console.log(lineOf(runs))
