/**
 * The programs in the READMEs as a check: the fenced block after `<!-- example: path -->` is that
 * file. `--write` copies the files in.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { examplesIn, withExamples } from "./documents/Examples.ts"

const root = new URL("../", import.meta.url)

/** The documents that show programs. */
const documents = [
  "README.md",
  "docs/adapters.md",
  "docs/embed.md",
  "docs/presets-in-programs.md",
  "docs/transactions.md",
  "docs/transcriptions.md",
  "packages/adapters/README.md",
  "packages/client/README.md",
  "packages/core/README.md",
  "packages/embed/README.md",
  "packages/http/README.md",
  "packages/testkit/README.md",
  "packages/server/README.md"
]

const check = (name: string): number => {
  const file = new URL(name, root)
  const document = existsSync(file) ? readFileSync(file, "utf8") : ""
  const current = withExamples(document, (path) => readFileSync(new URL(path, root), "utf8"))
  if (current !== document && process.argv.includes("--write")) writeFileSync(file, current)
  else if (current !== document) {
    console.error(`${name}:1 readme: a program differs from its file: npm run readme -- --write`)
    process.exitCode = 1
  }
  return examplesIn(document).length
}

const programs = documents.map(check).reduce((sum, count) => sum + count, 0)
console.log(`readme: ${programs} programs in ${documents.length} documents`)
