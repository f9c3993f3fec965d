/** How many tests passed and failed, as the runner's JSON report says. */

interface Tested {
  readonly status: string
  readonly assertionResults: ReadonlyArray<{ readonly status: string }>
}

const isReport = (report: unknown): report is { readonly testResults: ReadonlyArray<Tested> } =>
  Array.isArray(Object(report).testResults)

/** A file that could not be loaded has failed once, although it counts no test. */
const failuresOf = ({ assertionResults, status }: Tested): number => {
  const failed = assertionResults.filter((test) => test.status === "failed").length
  return status === "failed" ? Math.max(1, failed) : failed
}

/** A run of the tests: its report, and the exit status of the runner. */
export interface Run {
  readonly report: unknown
  readonly status: number
}

const countsOf = ({ report, status }: Run) => {
  const files = isReport(report) ? report.testResults : []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === "passed").length
  const failed = files.reduce((count, file) => count + failuresOf(file), 0)
  return { passed, failed: status === 0 ? failed : Math.max(1, failed) }
}

/**
 * `N passed, N failed`, of all runs together. A run that ended badly has at least one failure,
 * whatever its report says: there may be none, or an error may have happened outside every test.
 */
export const lineOf = (runs: ReadonlyArray<Run>): string => {
  const counts = runs.map(countsOf)
  const passed = counts.reduce((sum, each) => sum + each.passed, 0)
  const failed = counts.reduce((sum, each) => sum + each.failed, 0)
  return `${passed} passed, ${failed} failed`
}
