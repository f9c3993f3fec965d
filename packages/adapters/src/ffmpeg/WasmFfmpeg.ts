/**
 * Runs ffmpeg as WebAssembly, without an installed program. The package is optional because of its
 * GPL licence. Each decoding runs in its own thread, which starts in 0.04 s, so that hostile media
 * harms neither other decodings nor this process.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import type { AudioDecoderError } from "@verbatim/core/ports"
import { Effect, type Option } from "effect"
import { installSentence } from "../packages/OptionalPackage.ts"
import { decodeArguments } from "./FfmpegArguments.ts"
import {
  balanceOf,
  cleanDetail,
  type Engine,
  fileByteMaxOf,
  indexOf,
  type Run,
  type Task,
  unavailable
} from "./FfmpegOutcome.ts"
import { wasmScript } from "./WasmScript.ts"
import type { Core, WorkerInput, WorkerMessage } from "./WasmWorker.ts"

/** `WebAssembly` is declared here, because Node's types lack it. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<unknown> }

/** Paths of the package's files. */
export interface Package {
  readonly script: string
  readonly binary: string
}

/** Memory limit for the thread's own objects; WebAssembly's memory is limited inside the thread. */
const heapMegabyteMax = 64

/** The file that contains this code: a module, or a bundle in either module format. */
const ownFile = (): string =>
  typeof __filename === "string" ? __filename : fileURLToPath(import.meta.url)

/** Finds the installed package, as Node resolves it from the file that contains this code. */
export const locate: Effect.Effect<Option.Option<Package>> = Effect.option(
  Effect.try(() => {
    const require = createRequire(ownFile())
    return {
      script: require.resolve("@ffmpeg/core"),
      binary: require.resolve("@ffmpeg/core/wasm")
    }
  })
)

/** Returns the package's files in a folder that the host configured. */
export const locateIn = (folder: string): Package => {
  const partOf = (name: string) => resolve(folder, "dist", "umd", name)
  return { script: partOf("ffmpeg-core.js"), binary: partOf("ffmpeg-core.wasm") }
}

/** The engine for a system without `@ffmpeg/core`. Every decoding fails. */
export const missingEngine: Engine = () =>
  Effect.fail(
    unavailable(installSentence({ name: "@ffmpeg/core", purpose: "decode without ffmpeg" }))
  )

/**
 * The thread's environment variables: only the location of Node's compile cache, if set, and no
 * secrets.
 */
const environment = (): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

const start = (core: Core, task: Task): Worker => {
  const { byteMax, folder, nonce, media, outputPath, selection } = task
  const [index, balance] = [`/dev/${indexOf(nonce)}`, `/dev/${balanceOf(nonce)}`]
  const name = `media${/^\.[a-z0-9]+$/.test(media.extension) ? media.extension : ""}`
  const workerData: WorkerInput = {
    core,
    input: { path: media.path, folder: "/in", name },
    outputs: [
      { device: "/dev/audio", path: outputPath },
      { device: index, path: join(folder, indexOf(nonce)) },
      { device: balance, path: join(folder, balanceOf(nonce)) }
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
    workerData,
    env: environment(),
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabyteMax }
  })
  // The thread's output is read here, so that it is not mixed into the server's output.
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

const notStarted = (cause: unknown): AudioDecoderError =>
  unavailable(cleanDetail(`The package @ffmpeg/core did not start: ${cause}`))

const outcomeOf = (outcome: {
  readonly message: WorkerMessage | undefined
  readonly crash: unknown
}): Effect.Effect<Run, AudioDecoderError> => {
  const { crash, message } = outcome
  if (message === undefined) return Effect.fail(notStarted(crash))
  if (message._tag === "Ended") return Effect.succeed(message.run)
  // The media caused the crash, for example by an out-of-bounds access or a lack of memory.
  return Effect.succeed({ end: { _tag: "Exited", code: 1 }, log: String(crash) })
}

const runWorker = (core: Core, task: Task): Effect.Effect<Run, AudioDecoderError> =>
  Effect.callback((resume) => {
    const worker = start(core, task)
    let lastMessage: WorkerMessage | undefined
    let crash: unknown
    worker.on("message", (message: WorkerMessage) => {
      lastMessage = message
    })
    worker.once("error", (cause) => {
      crash = cause
    })
    // When this event arrives, the thread's memory is free and its files are closed.
    worker.once("exit", () => resume(outcomeOf({ message: lastMessage, crash })))
    return Effect.promise(() => worker.terminate())
  })

const compile = ({ binary, script }: Package): Effect.Effect<Core, AudioDecoderError> =>
  Effect.tryPromise({
    try: async () => ({ script, module: await WebAssembly.compile(await readFile(binary)) }),
    catch: notStarted
  })

/** Returns an engine that runs the package. Its 70 MB of code are compiled once, on first use. */
export const engine = (files: Package): Effect.Effect<Engine> =>
  Effect.map(
    Effect.cached(compile(files)),
    (compiled): Engine =>
      (task) =>
        Effect.flatMap(compiled, (core) => runWorker(core, task))
  )
