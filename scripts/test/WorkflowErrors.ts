/** Validates workflows with GitHub's parser. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

/**
 * GitHub's own parser, which is bundled, because it imports JSON in a way that only bundlers
 * accept.
 */
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

/** Finds a workflow's problems with GitHub's schema. */
export const findErrors = async (name: string, content: string) => {
  const { NoOperationTraceWriter, parseWorkflow } = await loadParser()
  const parsed = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  return parsed.context.errors.getErrors().map(({ message }) => message)
}
