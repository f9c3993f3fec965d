/**
 * The last line of a run, from the report that the runner itself wrote:
 * `node scripts/report.ts <report.json> <exit status of the runner>`.
 */
import { readFileSync } from "node:fs"
import { lineOf } from "./documents/Report.ts"

const [path = "", status = "1"] = process.argv.slice(2)

const read = (): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

console.log(lineOf(read(), Number(status)))
