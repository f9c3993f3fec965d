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

/**
 * `N passed, N failed`. A run that ended badly has at least one failure, whatever its report says:
 * there may be none, or an error may have happened outside every test.
 */
export const lineOf = (report: unknown, status: number): string => {
  const files = isReport(report) ? report.testResults : []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === "passed").length
  const failed = files.reduce((count, file) => count + failuresOf(file), 0)
  return `${passed} passed, ${status === 0 ? failed : Math.max(1, failed)} failed`
}
