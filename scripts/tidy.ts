/**
 * Style as a check: `node scripts/tidy.ts` prints one line for each finding and exits 1 when there
 * is one. The rules are in `scripts/tidy/`, as data where they can be.
 */
import { globSync, readFileSync } from "node:fs"
import { type Dependencies, findings } from "./tidy/Rules.ts"
import { source } from "./tidy/Source.ts"

const patterns = [
  "*.ts",
  "scripts/**/*.ts",
  "examples/**/*.ts",
  "bench/**/*.ts",
  "packages/*/{src,test}/**/*.ts"
]

const root = new URL("../", import.meta.url)

const read = (path: string): string => readFileSync(new URL(path, root), "utf8")

const find = (pattern: string | Array<string>): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()

const dependenciesIn = (manifest: string): ReadonlyArray<string> => {
  const fields: unknown = JSON.parse(read(manifest))
  const kinds = ["dependencies", "peerDependencies", "optionalDependencies"]
  return Object.entries(Object(fields)).flatMap(([kind, value]) =>
    kinds.includes(kind) ? Object.keys(Object(value)) : []
  )
}

const dependencies: Dependencies = new Map(
  find("packages/*/package.json").map((path) => [
    path.replace("/package.json", ""),
    dependenciesIn(path)
  ])
)

const sources = find(patterns).map((path) => source(path, read(path)))
const found = findings(sources, dependencies)

for (const { advice, line, path, rule } of found) {
  console.error(`${path}:${line} ${rule}: ${advice}`)
}
console.log(`tidy: ${sources.length} files, ${found.length} findings`)
process.exitCode = found.length === 0 ? 0 : 1
