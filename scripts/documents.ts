/**
 * Generates and checks what the documents take from the code: diagrams, tables and programs. The
 * same applies to the WebAssembly decoder's worker thread and the linter's findings on the API
 * description. Prints differences, and writes them with `--write`.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { sqlTable } from "@verbatim/adapters/sql"
import { coreTable } from "@verbatim/core/metrics"
import { httpTable } from "@verbatim/http"
import { document } from "@verbatim/http/description"
import { formats } from "../packages/core/src/domain/request/RequestFormat.ts"
import { allParts } from "../packages/server/src/settings/Variables.ts"
import { type Edges, withDiagram, withPicture } from "./documents/Drawings.ts"
import { withExamples } from "./documents/Examples.ts"
import { lintApi } from "./documents/Openapi.ts"
import { fieldTables, withMetrics, withTables } from "./documents/Tables.ts"

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

const drawFolders = (text: string): string =>
  withPicture(
    text,
    core.map((path) => ({ path: path.slice("packages/core/src/".length), text: read(path) }))
  )

/** Returns the thread's module as a template, without types and comments. */
const writeThread = (): string => {
  const code = stripTypeScriptTypes(read("packages/adapters/src/ffmpeg/WasmWorker.ts"))
    .replace(/^\s*\/\*\*[\s\S]*?\*\/$/gm, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/(?<=\S) +/g, " ")
    .replace(/ +$/gm, "")
    .replaceAll(" )", ")")
    .replace(/\n{2,}/g, "\n")
    .trim()
    .replace(/[\\`]|\$\{/g, "\\$&")
  return `/**
 * The thread of \`WasmWorker.ts\` as a text, made by \`npm run documents -- --write\`. It starts
 * from here, because a bundle has no other file to start it from.
 */

/** The thread's script. */
export const wasmScript = \`\n${code}\n\`\n`
}

const writers: ReadonlyArray<
  readonly [
    paths: ReadonlyArray<string>,
    write: (text: string, path: string) => string | Promise<string>
  ]
> = [
  [core.filter((path) => /^export const edges =/m.test(read(path))), drawMachine],
  [["docs/architecture.md"], drawFolders],
  [["docs/configuration.md"], (text) => withTables(text, allParts)],
  [
    ["docs/metrics.md"],
    (text) => withMetrics(text, { core: coreTable, http: httpTable, sql: sqlTable })
  ],
  [["docs/preset-fields.md"], () => fieldTables(formats)],
  [["packages/adapters/src/ffmpeg/WasmScript.ts"], writeThread],
  [
    ["README.md", ...find("docs/*.md"), ...find("packages/*/README.md")],
    (text) => withExamples(text, read)
  ]
]

/** Shows the first line that differs, with its actual and its expected form. */
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
