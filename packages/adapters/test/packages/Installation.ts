/**
 * Creates hosts that have only some packages installed: a folder with copies of Verbatim's sources
 * and links to these packages. Node really cannot find the others.
 */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

const run = promisify(execFile)

/** The dependencies of the adapters and the client. All other packages are optional. */
const dependencies = ["effect", "@effect/platform-node-shared", "@effect/sql-pg", "openapi-fetch"]

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, "junction")
}

/** A host, which exists until the test disposes of it. */
export interface Installation extends Disposable {
  /** Runs one of the host's programs, and returns its output. */
  readonly run: (program: string) => Promise<string>
}

/** Installs Verbatim's packages, their dependencies, and the given optional packages. */
export const install = (chosen: ReadonlyArray<string> = []): Installation => {
  const host = mkdtempSync(join(realpathSync(tmpdir()), "verbatim-host-"))
  const modules = join(host, "node_modules")
  for (const name of ["resolution", "core", "adapters", "http", "client", "embed"]) {
    for (const part of ["package.json", "src"]) {
      // The sources are outside `node_modules`, because Node does not run TypeScript in that
      // folder.
      cpSync(join(root, "packages", name, part), join(host, "packages", name, part), {
        recursive: true
      })
    }
    link(join(host, "packages", name), join(modules, "@verbatim", name))
  }
  for (const name of [...dependencies, ...chosen]) {
    link(realpathSync(join(root, "node_modules", name)), join(modules, name))
  }
  const flags = ["--conditions=@verbatim/source", "--input-type=module", "--eval"]
  return {
    run: async (program) => {
      // There are no programs on PATH, and the host does not inherit the environment of the tests.
      const env = { PATH: modules, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
      const { stdout } = await run(process.execPath, [...flags, program], { cwd: host, env })
      return stdout.trim()
    },
    [Symbol.dispose]: () => rmSync(host, { recursive: true, force: true })
  }
}
