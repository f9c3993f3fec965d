/** A copy of the repository to break: its own packages, the dependencies by links. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

const left = new Set(["node_modules", "dist", ".git"])

const copied = [
  ...["packages", "scripts", "package.json", "vitest.config.ts"],
  ...["tsconfig.base.json", "tsconfig.test.json"]
]

/** Our own packages are those of the copy. */
const own = "@verbatim"

const link = (root: string, folder: string): void => {
  mkdirSync(join(folder, "node_modules"))
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name === own) continue
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name))
  }
  mkdirSync(join(folder, "node_modules", own))
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(folder, "node_modules", own, name))
  }
}

/** Makes a copy; `remove` takes it away. */
export const copyOf = (root: string): { readonly folder: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-mutants-"))
  for (const name of copied) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !left.has(basename(path))
    })
  }
  link(root, folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
