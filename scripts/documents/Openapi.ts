/**
 * What the linter finds in the description of the API, and what it may find.
 */

/** One finding: the rule, where, and what is wrong. */
export interface Finding {
  readonly rule: string
  /** A JSON pointer into the document. */
  readonly pointer: string
  readonly message: string
}

interface Exception {
  readonly rule: string
  readonly pointer: string
  readonly reason: string
}

const noRefusal = "takes no key, no parameter and no body: there is nothing to refuse"

const isNoId =
  "`by-external-id` is no UUID, and a path without a parameter in that place is matched first"

/** Findings that are allowed. Each entry needs a reason that would convince a stranger. */
export const exceptions: ReadonlyArray<Exception> = [
  ...["~1", "~1health", "~1health~1ready"].map((path) => ({
    rule: "operation-4xx-response",
    pointer: `#/paths/${path}/get/responses`,
    reason: noRefusal
  })),
  ...["credits", "keys", "ledger"].map((name) => ({
    rule: "no-ambiguous-paths",
    pointer: `#/paths/~1workspaces~1{id}~1${name}`,
    reason: isNoId
  }))
]

interface Problem {
  readonly ruleId: string
  readonly message: string
  readonly location: ReadonlyArray<{ readonly pointer: string }>
}

const isExcepted = (finding: Finding) => (exception: Exception) =>
  exception.rule === finding.rule && exception.pointer === finding.pointer

/** The findings in the linter's report that have no exception, and exceptions nobody needs. */
export const findingsIn = (report: string): ReadonlyArray<Finding> => {
  const { problems }: { readonly problems: ReadonlyArray<Problem> } = JSON.parse(report)
  const found = problems.map(({ location, message, ruleId }) => ({
    rule: ruleId,
    pointer: location[0]?.pointer ?? "#/",
    message
  }))
  const unused = exceptions.filter(
    (exception) => !found.some((finding) => isExcepted(finding)(exception))
  )
  return [
    ...found.filter((finding) => !exceptions.some(isExcepted(finding))),
    ...unused.map(({ pointer, rule }) => ({
      rule,
      pointer,
      message: "needs no exception any more"
    }))
  ]
}
