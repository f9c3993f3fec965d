/**
 * Creates recordings with the encoders of ffmpeg's WebAssembly build, so that the tests need
 * neither a program nor stored files. The encoder has its own thread, because the package changes
 * globals.
 */
import { createRequire } from "node:module"
import { Worker } from "node:worker_threads"

/** The ffmpeg runs, each of which creates the file that its last argument names. */
export interface Encoding {
  readonly inputs: Readonly<Record<string, Uint8Array>>
  readonly runs: ReadonlyArray<ReadonlyArray<string>>
}

const script = `
const { createRequire } = require("node:module")
const { readFileSync } = require("node:fs")
const { parentPort, workerData } = require("node:worker_threads")
const { binary, inputs, runs, script } = workerData
Object.defineProperty(globalThis, "self", { value: globalThis, configurable: true })
Object.defineProperty(globalThis, "location", { value: { href: "file:///" }, configurable: true })
const create = createRequire(script)(script)
const parts = btoa(JSON.stringify({ wasmURL: "", workerURL: "" }))
const make = async (words, compiled) => {
  // Load the package again for each run, because some encoders corrupt its memory, and a later one
  // would crash.
  const core = await create({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(compiled, imports).then(done)
      return {}
    },
    mainScriptUrlOrBlob: "#" + parts
  })
  let log = ""
  core.setLogger(({ message }) => (log += message + " "))
  for (const name of words) {
    const bytes = inputs[name.slice(1)]
    if (bytes !== undefined) core.FS.writeFile(name, bytes)
  }
  const code = core.exec("-nostdin", "-hide_banner", "-y", "-v", "error", ...words)
  if (code !== 0) throw new Error(words.join(" ") + ": " + log)
  return core.FS.readFile(words.at(-1))
}
WebAssembly.compile(readFileSync(binary)).then(async (compiled) => {
  for (const words of runs) {
    parentPort.postMessage([words.at(-1).slice(1), await make(words, compiled)])
  }
  parentPort.postMessage(undefined)
})`

/**
 * Creates all files, and returns them by name. Fails with ffmpeg's log if one cannot be created.
 */
export const encode = ({ inputs, runs }: Encoding): Promise<ReadonlyMap<string, Buffer>> => {
  const require = createRequire(import.meta.url)
  const files = {
    script: require.resolve("@ffmpeg/core"),
    binary: require.resolve("@ffmpeg/core/wasm")
  }
  return new Promise((resolve, reject) => {
    const made = new Map<string, Buffer>()
    const worker = new Worker(script, { eval: true, workerData: { ...files, inputs, runs } })
    worker.once("error", reject)
    worker.on("message", (file: readonly [name: string, bytes: Uint8Array] | undefined) => {
      if (file !== undefined) made.set(file[0], Buffer.from(file[1]))
      else void worker.terminate().then(() => resolve(made))
    })
  })
}
