/**
 * Generates and checks the parts of documents that come from the code (diagrams, tables and
 * programs), and lints the API description. Prints the differences or, with `--write`, fixes them.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { sqlTable } from "@verbatim/adapters/sql"
import { coreTable } from "@verbatim/core/metrics"
import { httpTable } from "@verbatim/http"
import { document } from "@verbatim/http/description"
import { formats } from "../packages/core/src/domain/request/RequestFormat.ts"
import { allParts } from "../packages/server/src/settings/Variables.ts"
import { runtimeTable } from "../packages/server/src/telemetry/RuntimeMetrics.ts"
import { type Edges, withDiagram, withExamples } from "./documents/Insertions.ts"
import { lintApi } from "./documents/Openapi.ts"
import { writeReference } from "./documents/Reference.ts"
import { fieldTables, withMetrics, withModels, withTables } from "./documents/Tables.ts"

const root = new URL("../", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), "utf8")
const find = (pattern: string): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()

const core = find("packages/core/src/**/*.ts")

const drawMachine = async (text: string, path: string): Promise<string> => {
  const { edges }: { readonly edges: Edges } = await import(new URL(path, root).href)
  return withDiagram(text, edges)
}

const writers: ReadonlyArray<
  readonly [
    paths: ReadonlyArray<string>,
    write: (text: string, path: string) => string | Promise<string>
  ]
> = [
  [core.filter((path) => /^export const edges =/m.test(read(path))), drawMachine],
  [["docs/accuracy.md"], withModels],
  [["docs/configuration.md"], (text) => withTables(text, allParts)],
  [
    ["docs/metrics.md"],
    (text) =>
      withMetrics(text, { core: coreTable, http: httpTable, sql: sqlTable, runtime: runtimeTable })
  ],
  [["docs/api.md"], () => writeReference(document())],
  [["docs/preset-fields.md"], () => fieldTables(formats)],
  [
    ["README.md", ...find("docs/*.md"), ...find("packages/*/README.md")],
    (text) => withExamples(text, read)
  ]
]

/** Shows the first line that differs, and the expected line. */
const differenceIn = (written: string, current: string): string => {
  const [before, after] = [written.split("\n"), current.split("\n")]
  const at = after.findIndex((line, index) => line !== before[index])
  const index = at < 0 ? after.length : at
  return `${index + 1}\n- ${before[index] ?? ""}\n+ ${after[index] ?? ""}`
}

let count = 0
for (const [paths, write] of writers) {
  for (const path of paths) {
    count += 1
    const written = read(path)
    const current = await write(written, path)
    if (current === written) continue
    if (process.argv.includes("--write")) {
      writeFileSync(new URL(path, root), current)
      continue
    }
    console.error(`${path}:${differenceIn(written, current)}\n  npm run documents -- --write`)
    process.exitCode = 1
  }
}
for (const { message, pointer, rule } of lintApi(document())) {
  console.error(`openapi: ${pointer} ${rule}: ${message}`)
  process.exitCode = 1
}
console.log(`documents: ${count} files`)
