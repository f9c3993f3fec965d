/**
 * The description of the API as a check: `node scripts/openapi.ts` writes the document that the
 * server serves to a temporary file and has it linted. With a path it writes it there and stops;
 * with `--since <commit>` it prints what has changed since that commit.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { document } from "@verbatim/http/description"
import { findingsIn } from "./documents/Openapi.ts"
import { changesBetween, documentAt } from "./documents/OpenapiChanges.ts"

const root = fileURLToPath(new URL("../", import.meta.url))
const described = document()
const written = JSON.stringify(described, null, 2)

/** The linter must not check for a newer version, nor report that it ran. */
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_NOTIFICATIONS: "true" }

const lint = (file: string): string => {
  const command = join(root, "node_modules/@redocly/cli/bin/cli.js")
  const { error, stderr, stdout } = spawnSync(
    process.execPath,
    [command, "lint", file, "--config=redocly.yaml", "--format=json", "--max-problems=1000"],
    { cwd: root, encoding: "utf8", env: { ...process.env, ...quiet } }
  )
  if (error !== undefined || stdout === "") throw new Error(stderr, { cause: error })
  return stdout
}

const check = () => {
  const directory = mkdtempSync(join(tmpdir(), "verbatim-openapi-"))
  try {
    const file = join(directory, "openapi.json")
    writeFileSync(file, written)
    return findingsIn(lint(file))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const [path, since = "HEAD"] = process.argv.slice(2)
if (path === "--since") {
  const changes = changesBetween(documentAt(root, since), JSON.parse(written))
  for (const change of changes) console.log(change)
  console.log(`openapi: ${changes.length} changes since ${since}`)
} else if (path === undefined) {
  const findings = check()
  for (const { message, pointer, rule } of findings) {
    console.error(`${pointer} ${rule}: ${message}`)
  }
  const { length } = Object.keys(described.paths)
  console.log(`openapi: ${length} paths, ${findings.length} findings`)
  if (findings.length > 0) process.exitCode = 1
} else {
  writeFileSync(path, `${written}\n`)
}
