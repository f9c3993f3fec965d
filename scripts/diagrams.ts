/**
 * Diagrams as a check: each machine of core shows its edges as Mermaid in its module comment, and
 * the picture is what the table says. `--write` redraws them.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { type Edges, withDiagram } from "./documents/Diagram.ts"

const root = new URL("../", import.meta.url)
const mayWrite = process.argv.includes("--write")

/** What is wrong with the diagram of a file, after it was redrawn if that is wanted. */
const problemOf = async (path: string): Promise<string | undefined> => {
  const file = new URL(path, root)
  const text = readFileSync(file, "utf8")
  const module: { readonly edges: Edges } = await import(file.href)
  const drawn = withDiagram(text, module.edges)
  if (drawn === undefined) return "begin the module comment with a ```mermaid fence to draw into"
  if (drawn === text) return undefined
  if (!mayWrite) return "it is not what the edges say: run npm run diagrams -- --write"
  writeFileSync(file, drawn)
  return undefined
}

const machines = globSync("packages/core/src/**/*.ts", { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /^export const edges =/m.test(readFileSync(new URL(path, root), "utf8")))
  .sort()

for (const path of machines) {
  const problem = await problemOf(path)
  if (problem === undefined) continue
  console.error(`${path}:1 diagram: ${problem}`)
  process.exitCode = 1
}
console.log(`diagrams: ${machines.length} machines`)
