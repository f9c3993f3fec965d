/**
 * The JavaScript runtimes that run the examples and bundles. `npm run test:all` installs Bun and
 * Deno in `../runtimes`, from packages that contain the binaries, so no installation script has to
 * download anything.
 */
import { globSync } from "node:fs"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../runtimes/node_modules/", import.meta.url))

const find = (pattern: string): string | undefined =>
  globSync(pattern, { cwd: modules }).map((path) => modules + path)[0]

/** The command that starts a runtime, and the arguments before a program's path. */
export interface Runtime {
  readonly name: string
  /** Undefined if the runtime is not installed. */
  readonly path: string | undefined
  /** The arguments for running a bundle. */
  readonly words: ReadonlyArray<string>
  /** The arguments for running a program from source. */
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

/** Returns the reason why a runtime is not tested, if any. */
export const absence = ({ name, path }: Runtime): string | undefined =>
  path === undefined ? `${name} is not installed in examples/test/runtimes` : undefined
