/**
 * The engine that needs nothing installed: ffmpeg as WebAssembly, from an optional package because
 * it is GPL. Each decoding has a thread of its own: 0.04 s to start, and nothing that hostile media
 * does to one reaches the next or this process.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import type { AudioDecoderError } from "@verbatim/core/ports"
import { Effect, type Option } from "effect"
import { sentenceFor } from "../packages/OptionalPackage.ts"
import { decodeArguments } from "./FfmpegArguments.ts"
import {
  balanceOf,
  cleanDetail,
  type Engine,
  fileByteMaxOf,
  indexOf,
  makeError,
  type Run,
  type Task
} from "./FfmpegOutcome.ts"
import { wasmScript } from "./WasmScript.ts"
import type { Core, Said, Told } from "./WasmWorker.ts"

/** The types of Node leave this global out. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<unknown> }

/** Where the parts of the package are. */
export interface Package {
  readonly script: string
  readonly binary: string
}

/** The thread's own objects; the memory of WebAssembly has its limit in the thread. */
const heapMegabyteMax = 64

/** The file that this code is in: a module, or a bundle of either kind. */
const ownFile = (): string =>
  typeof __filename === "string" ? __filename : fileURLToPath(import.meta.url)

/** Finds the package where Node finds packages for that file, when it is installed. */
export const locate: Effect.Effect<Option.Option<Package>> = Effect.option(
  Effect.try(() => {
    const require = createRequire(ownFile())
    return {
      script: require.resolve("@ffmpeg/core"),
      binary: require.resolve("@ffmpeg/core/wasm")
    }
  })
)

/** The parts of the package in a folder that a host names. */
export const locateIn = (folder: string): Package => {
  const partOf = (name: string) => resolve(folder, "dist", "umd", name)
  return { script: partOf("ffmpeg-core.js"), binary: partOf("ffmpeg-core.wasm") }
}

/** No caller can be told, but the log of the server says what to do. */
export const missingEngine: Engine = () =>
  Effect.fail(
    makeError({
      _tag: "EngineUnavailable",
      detail: sentenceFor({ name: "@ffmpeg/core", purpose: "decode without ffmpeg" })
    })
  )

/** No secrets: only where Node keeps what it has compiled, if it was told to. */
const environment = (): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

const start = (core: Core, task: Task): Worker => {
  const { byteMax, folder, mark, media, outputPath, selection } = task
  const [index, balance] = [`/dev/${indexOf(mark)}`, `/dev/${balanceOf(mark)}`]
  const name = `media${/^\.[a-z0-9]+$/.test(media.extension) ? media.extension : ""}`
  const told: Told = {
    core,
    input: { path: media.path, folder: "/in", name },
    outputs: [
      { device: "/dev/audio", path: outputPath, flags: "r+" },
      { device: index, path: join(folder, indexOf(mark)), flags: "wx" },
      { device: balance, path: join(folder, balanceOf(mark)), flags: "wx" }
    ],
    fileByteMax: fileByteMaxOf(byteMax),
    arguments: decodeArguments({
      input: `/in/${name}`,
      output: "/dev/audio",
      byteMax,
      index,
      balance,
      selection
    })
  }
  const worker = new Worker(wasmScript, {
    eval: true,
    workerData: told,
    env: environment(),
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabyteMax }
  })
  // Its output is read here, so that it does not reach the output of the server.
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

const unavailable = (cause: unknown): AudioDecoderError =>
  makeError({
    _tag: "EngineUnavailable",
    detail: cleanDetail(`The package @ffmpeg/core did not start: ${cause}`)
  })

/** The outcome of a thread that has ended. */
const outcomeOf = (heard: {
  readonly said: Said | undefined
  readonly crash: unknown
}): Effect.Effect<Run, AudioDecoderError> => {
  const { crash, said } = heard
  if (said === undefined) return Effect.fail(unavailable(crash))
  if (said._tag === "Ended") return Effect.succeed(said.run)
  // Broken from inside, by media: out of memory, out of bounds.
  return Effect.succeed({ end: { _tag: "Exited", code: 1 }, log: String(crash) })
}

const runWorker = (core: Core, task: Task): Effect.Effect<Run, AudioDecoderError> =>
  Effect.callback((resume) => {
    const worker = start(core, task)
    let said: Said | undefined
    let crash: unknown
    worker.on("message", (message: Said) => {
      said = message
    })
    worker.once("error", (cause) => {
      crash = cause
    })
    // Only now is its memory free and are its files closed.
    worker.once("exit", () => resume(outcomeOf({ said, crash })))
    return Effect.promise(() => worker.terminate())
  })

const compile = ({ binary, script }: Package): Effect.Effect<Core, AudioDecoderError> =>
  Effect.tryPromise({
    try: async () => ({ script, module: await WebAssembly.compile(await readFile(binary)) }),
    catch: (cause) => unavailable(cause)
  })

/** The engine that runs the package. Its code is compiled once, when it is first used: 70 MB. */
export const engine = (files: Package): Effect.Effect<Engine> =>
  Effect.map(
    Effect.cached(compile(files)),
    (compiled): Engine =>
      (task) =>
        Effect.flatMap(compiled, (core) => runWorker(core, task))
  )
