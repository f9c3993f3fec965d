/** Checks the API description's linter findings, and its changes since a commit. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"

/** A finding, with its rule, its position and the problem. */
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

/** Allowed findings, each with a reason that would convince an outsider. */
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

/** Returns the findings that have no exception, and the unused exceptions. */
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

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Prevents the linter from checking for updates and from reporting how it is used. */
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_NOTIFICATIONS: "true" }

/** Runs the linter on the description. */
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

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")

/**
 * Returns a line with a JSON pointer for each difference, where `+` means added, `-` removed and
 * `~` changed.
 */
export const changesBetween = (
  before: unknown,
  after: unknown,
  pointer = "#"
): ReadonlyArray<string> => {
  if (isDeepStrictEqual(before, after)) return []
  if (!isObject(before) || !isObject(after)) {
    const isShort = [before, after].every((value) => String(value).length < 80 && !isObject(value))
    return [`~ ${pointer}${isShort ? `: ${String(before)} is now ${String(after)}` : ""}`]
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    const place = `${pointer}/${escape(name)}`
    if (!Object.hasOwn(before, name)) return [`+ ${place}`]
    if (!Object.hasOwn(after, name)) return [`- ${place}`]
    return changesBetween(before[name], after[name], place)
  })
}

const packages = ["core", "http", "resolution"]

const program = `
  const { document } = await import("@verbatim/http/description")
  process.stdout.write(JSON.stringify(document()))
`

/** Builds a commit's document with the installed third-party packages. */
export const documentAt = (root: string, ref: string): unknown => {
  mkdirSync(join(root, ".cache"), { recursive: true })
  // The copy is inside the repository, so that its packages find third-party packages.
  const folder = mkdtempSync(join(root, ".cache", "openapi-"))
  try {
    const paths = packages.map((name) => `packages/${name}`)
    const archive = execFileSync("git", ["archive", ref, ...paths], {
      cwd: root,
      maxBuffer: 2 ** 28
    })
    execFileSync("tar", ["-x", "-C", folder], { input: archive })
    mkdirSync(join(folder, "node_modules/@verbatim"), { recursive: true })
    for (const name of packages) {
      symlinkSync(join(folder, "packages", name), join(folder, "node_modules/@verbatim", name))
    }
    const flags = ["--conditions=@verbatim/source", "--input-type=module", "--eval", program]
    return JSON.parse(
      execFileSync(process.execPath, flags, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 })
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
