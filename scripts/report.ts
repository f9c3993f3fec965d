/**
 * Prints the last lines of a check: the failed tests and a line with totals. The arguments are the
 * runner's report and exit status for each run: `node scripts/report.ts <report.json> <exit status
 * of the runner> …`.
 */
import { readFileSync } from "node:fs"

interface Test {
  readonly status: string
  readonly fullName?: string
  readonly failureMessages?: ReadonlyArray<string>
}

interface Tested {
  readonly status: string
  readonly name?: string
  /** The error that kept the test file from loading. */
  readonly message?: string
  readonly assertionResults: ReadonlyArray<Test>
}

const isReport = (report: unknown): report is { readonly testResults: ReadonlyArray<Tested> } =>
  Array.isArray(Object(report).testResults)

/** Counts a file that could not be loaded as one failure, even though it reports no tests. */
const failuresOf = ({ assertionResults, status }: Tested): number => {
  const failed = assertionResults.filter((test) => test.status === "failed").length
  return status === "failed" ? Math.max(1, failed) : failed
}

/** A test run's report, and the runner's exit status. */
interface Run {
  readonly report: unknown
  readonly status: number
}

/** The first lines of a message explain the failure. The rest is the stack. */
const linesMax = 12

const shorten = (messages: ReadonlyArray<string>): string =>
  messages.join("\n").split("\n").slice(0, linesMax).join("\n")

const namesOf = ({ assertionResults, message = "", name = "", status }: Tested) => {
  const failed = assertionResults.filter((test) => test.status === "failed")
  const named = failed.map(
    ({ failureMessages = [], fullName = "" }) =>
      `FAILED ${name} > ${fullName}\n${shorten(failureMessages)}`
  )
  return named.length === 0 && status === "failed"
    ? [`FAILED ${name}\n${shorten([message])}`]
    : named
}

/** Lists each failed test by file and name, with the start of its message. */
export const failuresIn = (runs: ReadonlyArray<Run>): ReadonlyArray<string> =>
  runs.flatMap(({ report }) => (isReport(report) ? report.testResults.flatMap(namesOf) : []))

const countsOf = ({ report, status }: Run) => {
  const files = isReport(report) ? report.testResults : []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === "passed").length
  const failed = files.reduce((count, file) => count + failuresOf(file), 0)
  return { passed, failed: status === 0 ? failed : Math.max(1, failed) }
}

/**
 * Returns `N passed, N failed` for all runs together. A run that exited with an error has at least
 * one failure, whatever its report says, because the report may be missing, or the error may have
 * occurred outside the tests.
 */
export const lineOf = (runs: ReadonlyArray<Run>): string => {
  const counts = runs.map(countsOf)
  const passed = counts.reduce((sum, each) => sum + each.passed, 0)
  const failed = counts.reduce((sum, each) => sum + each.failed, 0)
  return `${passed} passed, ${failed} failed`
}

const read = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const runs = words.flatMap(
    (path, index): ReadonlyArray<Run> =>
      index % 2 === 0 ? [{ report: read(path), status: Number(words[index + 1] ?? 1) }] : []
  )
  for (const failure of failuresIn(runs)) console.log(failure)
  console.log(lineOf(runs))
}
