/**
 * Tests that a program bundled into one file can transcribe a recording. Covers two bundlers, ES
 * modules and CommonJS, and all JavaScript runtimes.
 */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { bundlers, type Format } from "./bundles/Bundlers.ts"
import { absence, bun, deno, node, type Runtime } from "./bundles/Runtimes.ts"

const recording = fileURLToPath(new URL("../audio/harbour-opening.mp3", import.meta.url))
const cache = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url))

/** The timeout leaves time to download the recogniser. */
const timeout = 300_000

interface Case {
  readonly bundler: keyof typeof bundlers
  readonly format: Format
  readonly runtime: Runtime
}

const cases: ReadonlyArray<Case> = [
  { bundler: "esbuild", format: "esm", runtime: node },
  { bundler: "esbuild", format: "cjs", runtime: node },
  { bundler: "rolldown", format: "esm", runtime: node },
  { bundler: "rolldown", format: "cjs", runtime: node },
  { bundler: "esbuild", format: "esm", runtime: bun },
  { bundler: "esbuild", format: "esm", runtime: deno }
]

/**
 * Bundles and runs the program, and returns its output. The bundle is in a folder from which
 * packages can be imported, and its data is in a temporary folder.
 */
const hear = async ({ bundler, format, runtime }: Case): Promise<string> => {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, "bundle-"))
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bundle-"))
  try {
    const program = await bundlers[bundler](folder, format)
    const words = [...runtime.words, program, directory, recording]
    const { stdout } = await promisify(execFile)(runtime.path ?? runtime.name, words)
    return stdout
  } finally {
    for (const each of [folder, directory]) await rm(each, { recursive: true, force: true })
  }
}

describe("a program bundled into one file", () => {
  for (const each of cases) {
    const { bundler, format, runtime } = each
    const reason = absence(runtime)
    const title = `transcribes a recording on ${runtime.name}, built by ${bundler} as ${format}`
    it.skipIf(reason !== undefined)(
      reason === undefined ? title : `${title}: ${reason}`,
      {
        timeout
      },
      async () => {
        assert.include(await hear(each), "we have to prepare the summer boat trip")
      }
    )
  }
})
