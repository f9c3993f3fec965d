/** Prints the API description or, with `--since <commit>`, the changes since that commit. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { document } from "@verbatim/http/description"
import { JsonPatch } from "effect"

const root = fileURLToPath(new URL("../", import.meta.url))

const packages = ["core", "http", "resolution"]

const program = `
  const { document } = await import("@verbatim/http/description")
  process.stdout.write(JSON.stringify(document()))
`

/** Builds the API description of a commit with the installed third-party packages. */
const documentAt = (ref: string) => {
  mkdirSync(join(root, ".cache"), { recursive: true })
  // The copy is inside the repository so that the copied packages find third-party packages.
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

const { values } = parseArgs({ options: { since: { type: "string" } } })
const text = JSON.stringify(document(), null, 2)
if (values.since === undefined) console.log(text)
else {
  const changes = JsonPatch.get(documentAt(values.since), JSON.parse(text))
  for (const { op, path, ...change } of changes) {
    const value = JSON.stringify(Object(change).value ?? "")
    console.log(`${op} ${path}${op === "replace" && value.length < 80 ? `: now ${value}` : ""}`)
  }
  console.log(`openapi: ${changes.length} changes since ${values.since}`)
}
