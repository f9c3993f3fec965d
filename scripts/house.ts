/** Checks the house rules. Prints a line for each finding, and exits with 1 if there are any. */
import { globSync, readFileSync } from "node:fs"
import { findingsIn, foreignCommandsIn, oddWordsIn } from "./rules/House.ts"

const folders = [
  "*.ts",
  "{scripts,examples,bench}/**/*.ts",
  "packages/*/{src,test}/**/*.ts",
  "packages/console/{page,bundle}/**/*.{ts,tsx}"
]

const documents = ["*.md", ".github/*.md", "docs/*.md", "packages/*/README.md"]

const root = new URL("../", import.meta.url)
const paths = globSync([...folders, ...documents], {
  cwd: root,
  exclude: ["**/node_modules/**", "**/dist/**", "**/generated/**", "docs/glossary.md"]
})
  .map((path) => path.replaceAll("\\", "/"))
  .sort()

const found = paths.flatMap((path) => {
  const text = readFileSync(new URL(path, root), "utf8")
  const findings = path.endsWith(".md")
    ? [...oddWordsIn(text), ...foreignCommandsIn(text)]
    : findingsIn(path, text)
  return findings.map((finding) => ({ path, ...finding }))
})
for (const { advice, line, path, rule } of found)
  console.error(`${path}:${line} ${rule}: ${advice}`)
console.log(`house: ${paths.length} files, ${found.length} findings`)
process.exitCode = found.length === 0 ? 0 : 1
