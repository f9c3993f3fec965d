/**
 * The README's programs as a check: the fenced block after `<!-- example: path -->` is that file.
 * `--write` copies the files in.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { examplesIn, withExamples } from "./documents/Examples.ts"

const root = new URL("../", import.meta.url)
const readme = new URL("README.md", root)

const document = existsSync(readme) ? readFileSync(readme, "utf8") : ""
const current = withExamples(document, (path) => readFileSync(new URL(path, root), "utf8"))

if (current !== document && process.argv.includes("--write")) writeFileSync(readme, current)
else if (current !== document) {
  console.error("README.md:1 readme: a program differs from its file: npm run readme -- --write")
  process.exitCode = 1
}
console.log(`readme: ${examplesIn(document).length} programs`)
