/** Lints the API description. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** A finding of the linter: the rule, the position and the problem. */
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

const noRefusal = "takes no key, parameter or body, so no request can be refused"

const isNoId =
  "`by-external-id` is not a UUID, and literal path segments are matched before parameters"

/** Findings that are allowed, each with a reason. */
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

/** Returns the findings for which there is no exception, and the unused exceptions. */
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
      message: "no longer needs an exception"
    }))
  ]
}

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The environment variables that turn off the linter's update check and usage reports. */
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_NOTIFICATIONS: "true" }

/** Runs the linter on the API description. */
export const lintApi = (described: unknown): ReadonlyArray<Finding> => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-openapi-"))
  try {
    const file = join(folder, "openapi.json")
    writeFileSync(file, JSON.stringify(described))
    const command = join(root, "node_modules/@redocly/cli/bin/cli.js")
    const { error, stderr, stdout } = spawnSync(
      process.execPath,
      [command, "lint", file, "--config=redocly.yaml", "--format=json", "--max-problems=1000"],
      { cwd: root, encoding: "utf8", env: { ...process.env, ...quiet } }
    )
    if (error !== undefined || stdout === "") throw new Error(stderr, { cause: error })
    return findingsIn(stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
