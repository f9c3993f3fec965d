/**
 * The programs that run JavaScript besides Node, as npm brings them. Their binaries are in packages
 * of their platforms: no script that fetches something has to run.
 */
import { globSync } from "node:fs"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url))

const find = (pattern: string): string | undefined =>
  globSync(pattern, { cwd: modules }).map((path) => modules + path)[0]

/** What runs a program, and the words that come before its path. */
export interface Runtime {
  readonly name: string
  /** None on a platform that npm has no binary for. */
  readonly path: string | undefined
  /** For a bundle. */
  readonly words: ReadonlyArray<string>
  /** For the sources. */
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

/** Why a runtime is not tried. */
export const absence = ({ name, path }: Runtime): string | undefined =>
  path === undefined ? `npm has no ${name} for this platform` : undefined
