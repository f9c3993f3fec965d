/** Folders of tests, which go with them. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** Makes an empty folder for as long as a test takes. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
