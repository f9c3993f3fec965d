/** Prints the API description or, with `--since <commit>`, the changes since that commit. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { document } from "@verbatim/http/description"

const root = fileURLToPath(new URL("../", import.meta.url))

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")

/**
 * Returns a line with a JSON pointer for each difference. `+` stands for added, `-` for removed and
 * `~` for changed.
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

/** Builds the API description of a commit with the installed third-party packages. */
const documentAt = (ref: string): unknown => {
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

const print = ([option, since = "HEAD"]: ReadonlyArray<string>): void => {
  const text = JSON.stringify(document(), null, 2)
  if (option !== "--since") {
    console.log(text)
    return
  }
  const changes = changesBetween(documentAt(since), JSON.parse(text))
  for (const change of changes) console.log(change)
  console.log(`openapi: ${changes.length} changes since ${since}`)
}

if (import.meta.main) print(process.argv.slice(2))
