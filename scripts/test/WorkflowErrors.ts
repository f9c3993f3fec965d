/** What the parser of GitHub says of a workflow. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

/** GitHub's own parser. It imports JSON as bundlers take it and Node does not, so it is bundled. */
const loadParser = async (): Promise<typeof import("@actions/workflow-parser")> => {
  const input = fileURLToPath(import.meta.resolve("@actions/workflow-parser"))
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" })
  const folder = mkdtempSync(join(tmpdir(), "verbatim-parser-"))
  try {
    const file = join(folder, "parser.mjs")
    await bundle.write({ file, format: "esm", codeSplitting: false })
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What is wrong with a workflow, by the schema of GitHub. */
export const findErrors = async (name: string, content: string) => {
  const { NoOperationTraceWriter, parseWorkflow } = await loadParser()
  const parsed = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  return parsed.context.errors.getErrors().map(({ message }) => message)
}
