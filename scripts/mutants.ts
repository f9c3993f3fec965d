/**
 * Plants named faults in a copy of the code, one at a time. For each fault, reports the first
 * simulation seed or test that finds it. `npm run mutants -- G4 ledger` selects the faults whose
 * guarantee, name or file contains one of the words.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { findBaseline, findFault } from "./mutants/Judging.ts"
import { mutants } from "./mutants/Mutants.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const copied = [
  ...["packages", "scripts", "package.json", "vitest.config.ts"],
  ...["tsconfig.base.json", "tsconfig.package.json", "tsconfig.test.json"]
]
const skipped = new Set(["node_modules", "dist"])

/** Copies our packages into a folder, and links their dependencies. */
const copyTo = (folder: string): void => {
  for (const name of copied) {
    const filter = (path: string) => !skipped.has(basename(path))
    cpSync(join(root, name), join(folder, name), { recursive: true, filter })
  }
  const [from, to] = [join(root, "node_modules"), join(folder, "node_modules")]
  mkdirSync(join(to, "@verbatim"), { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== "@verbatim") symlinkSync(join(from, name), join(to, name))
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(to, "@verbatim", name))
  }
}

const words = process.argv.slice(2)
const wanted = mutants.filter(
  ({ fault, file, guarantee }) =>
    words.length === 0 ||
    words.some((word) => word === guarantee || fault.includes(word) || file.includes(word))
)

const folder = mkdtempSync(join(tmpdir(), "verbatim-mutants-"))
try {
  copyTo(folder)
  const baseline = findBaseline(folder, wanted)
  if (baseline !== undefined) throw new Error(`without any fault this fails: ${baseline}`)
  let survivors = 0
  for (const mutant of wanted) {
    const by = findFault(folder, mutant)
    if (by === undefined) survivors += 1
    console.log(`${mutant.guarantee}  ${mutant.fault}\n    ${by ?? "NOT FOUND"}`)
  }
  console.log(`${wanted.length} faults, ${survivors} not found`)
  if (survivors > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
