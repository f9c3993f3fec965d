/** Temporary folders for tests. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** Creates an empty folder for the duration of a test. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
