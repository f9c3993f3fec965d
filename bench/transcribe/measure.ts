/**
 * What `verbatim transcribe` takes beyond the engine that it runs: starting, decoding, rendering.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { fileURLToPath } from "node:url"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { Installation } from "@verbatim/adapters/pocketsphinx"
import { Effect, Option } from "effect"
import { median } from "../Rounds.ts"

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const meeting = local("../../examples/audio/harbour-meeting.flac")
const main = local("../../packages/server/src/main.ts")

const roundCount = 5

/** The user's cache, as the server chooses it. */
const cacheDirectory =
  env.VERBATIM_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "verbatim")

/**
 * The recogniser on PATH behind a stopwatch: what the engine itself takes in the very run that is
 * measured. Two runs one after the other differ by seconds where other programs share the machine.
 */
const clocked = async (
  directory: string,
  { command, environment, modelArguments }: Installation.Installation
) => {
  const folder = await mkdtemp(join(directory, "clocked-"))
  const log = join(folder, "clock")
  const variables = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`)
  const recogniser = [command, ...modelArguments].map((each) => `'${each}'`).join(" ")
  const script = [
    "#!/bin/sh",
    ...variables,
    `case "$*" in *"-infile /dev/null"*) exec ${recogniser} "$@" ;; esac`,
    `date +%s%3N >> '${log}'`,
    `${recogniser} "$@"`,
    `date +%s%3N >> '${log}'`
  ]
  await writeFile(join(folder, "pocketsphinx_continuous"), script.join("\n"), { mode: 0o755 })
  return {
    PATH: `${folder}:${process.env.PATH}`,
    millis: async () => {
      const [start = 0, end = 0] = (await readFile(log, "utf8")).split("\n").map(Number)
      return end - start
    }
  }
}

/** Runs the command to its end. */
const run = async (args: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ["--conditions=@verbatim/source", main, ...args], {
    env: { ...env, ...settings },
    stdio: "ignore"
  })
  const [status] = await once(child, "exit")
  if (status !== 0) throw new Error(`verbatim ended with ${status}`)
}

/** Transcribes the meeting of 73 s this many times. */
export const measureTranscribe = async (): Promise<void> => {
  const found = Installation.find({ cacheDirectory }).pipe(Effect.provide(nodeServices))
  const installation = Option.getOrUndefined(await Effect.runPromise(found))
  if (installation === undefined) return console.log("transcribe: PocketSphinx is not installed")
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  try {
    // Compiled modules are kept, as the installed command keeps them.
    const compiled = { NODE_COMPILE_CACHE: join(directory, "compiled") }
    const settings = { VERBATIM_TRANSCRIBER: "pocketsphinx", ...compiled }
    await run(["--version"], settings)
    const beyond: Array<number> = []
    for (let round = 0; round < roundCount; round += 1) {
      const { PATH, millis } = await clocked(directory, installation)
      const startedAt = performance.now()
      await run(["transcribe", meeting, "--format", "srt"], { ...settings, PATH })
      const whole = performance.now() - startedAt
      const engine = await millis()
      beyond.push(whole - engine)
      console.log(`engine ${engine} ms, verbatim ${Math.round(whole - engine)} ms more`)
    }
    console.log(`transcribe: ${Math.round(median(beyond))} ms beyond the engine (median)`)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
