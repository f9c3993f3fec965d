/**
 * JavaScript runtimes besides Node, which `npm run test:all` installs in `../runtimes`: binaries in
 * platform packages, so no script has to download anything.
 */
import { globSync } from "node:fs"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../runtimes/node_modules/", import.meta.url))

const find = (pattern: string): string | undefined =>
  globSync(pattern, { cwd: modules }).map((path) => modules + path)[0]

/** The command of a runtime, and the arguments before the path of a program. */
export interface Runtime {
  readonly name: string
  /** Undefined if it is not installed. */
  readonly path: string | undefined
  /** The arguments for a bundle. */
  readonly words: ReadonlyArray<string>
  /** The arguments for the sources. */
  readonly sourceWords: ReadonlyArray<string>
}

const condition = "--conditions=@verbatim/source"

export const node: Runtime = {
  name: "Node",
  path: process.execPath,
  words: [],
  sourceWords: [condition]
}

export const bun: Runtime = {
  name: "Bun",
  path: find("@oven/bun-*/bin/bun{,.exe}"),
  words: [],
  sourceWords: [condition]
}

export const deno: Runtime = {
  name: "Deno",
  path: find("@deno/*/deno{,.exe}"),
  words: ["run", "-A", "--no-config"],
  sourceWords: ["run", "-A", condition]
}

/** Why a runtime is not tested. */
export const absence = ({ name, path }: Runtime): string | undefined =>
  path === undefined ? `${name} is not installed in examples/test/runtimes` : undefined
