/**
 * Prints the last lines of a check: the failed tests and a line with totals. The arguments are the
 * runner's report and exit status for each run: `node scripts/report.ts <report.json> <exit status
 * of the runner> …`.
 */
import { existsSync, readFileSync } from "node:fs"

/** The part of Vitest's JSON report that is shown. */
export interface Report {
  readonly numPassedTests: number
  readonly testResults: ReadonlyArray<{
    readonly status: string
    readonly name: string
    /** The error that kept the test file from loading. */
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

/** A test run's exit status, and its report if it wrote one. */
interface Run {
  readonly report?: Report | undefined
  readonly status: number
}

/** The first lines of a message explain the failure. The rest is the stack. */
const linesMax = 12

const describeFailure = (name: string, messages: ReadonlyArray<string>): string =>
  [`FAILED ${name}`, ...messages.join("\n").split("\n").slice(0, linesMax)].join("\n")

/** Lists a run's failed tests and unloaded files, or the run itself if there are none. */
const failuresOf = ({ report, status }: Run): ReadonlyArray<string> => {
  const failures = (report?.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === "failed")
    if (failed.length === 0 && file.status === "failed") {
      return [describeFailure(file.name, [file.message])]
    }
    return failed.map(({ failureMessages, fullName }) =>
      describeFailure(`${file.name} > ${fullName}`, failureMessages)
    )
  })
  return failures.length === 0 && status !== 0 ? [`FAILED a run with status ${status}`] : failures
}

/** Returns the failures of all runs, and `N passed, N failed`. */
export const summarize = (runs: ReadonlyArray<Run>): ReadonlyArray<string> => {
  const failures = runs.flatMap(failuresOf)
  const passed = runs.reduce((sum, { report }) => sum + (report?.numPassedTests ?? 0), 0)
  return [...failures, `${passed} passed, ${failures.length} failed`]
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const runs = Array.from({ length: words.length / 2 }, (_, index): Run => {
    const [path = "", status = 1] = words.slice(2 * index)
    const report = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined
    return { report, status: Number(status) }
  })
  for (const line of summarize(runs)) console.log(line)
}
