/**
 * Runs ffmpeg as WebAssembly for one file, in a separate thread. The package is made for browsers,
 * so this module provides the globals that the package expects. The package reads the file through
 * its worker file system, which accepts any object with `slice`, and writes audio to devices
 * defined here. The memory in use therefore does not grow with the file's size. This module imports
 * only types, because a bundle starts the thread from a string, `WasmScript.ts`.
 */
import type { End, Run } from "./FfmpegOutcome.ts"

const { closeSync, fstatSync, openSync, readSync, writeSync } = process.getBuiltinModule("node:fs")
const { createRequire } = process.getBuiltinModule("node:module")
const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads")

/** The package: its script and its compiled code, shared by all threads. */
export interface Core {
  readonly script: string
  readonly module: unknown
}

/** A file that the package writes. */
interface Output {
  readonly device: string
  readonly path: string
}

/** The data that a decoding thread starts with. */
export interface WorkerInput {
  readonly core: Core
  readonly input: { readonly path: string; readonly folder: string; readonly name: string }
  readonly outputs: ReadonlyArray<Output>
  /** Maximum size of each output file, in bytes. */
  readonly fileByteMax: number
  readonly arguments: ReadonlyArray<string>
}

/** The thread's messages: the first after loading, the second with the outcome of the run. */
export type WorkerMessage =
  | { readonly _tag: "Loaded" }
  | { readonly _tag: "Ended"; readonly run: Run }

/** The parts of the package, version 0.12.10, that this module uses. */
interface Ffmpeg {
  readonly FS: {
    readonly ErrnoError: new (code: number) => Error
    readonly filesystems: { readonly WORKERFS: unknown }
    readonly mkdir: (path: string) => void
    readonly makedev: (major: number, minor: number) => number
    readonly registerDevice: (device: number, operations: object) => void
    readonly mkdev: (path: string, mode: number, device: number) => void
    readonly mount: (type: unknown, options: object, path: string) => void
  }
  readonly setLogger: (logger: (line: { readonly message: string }) => void) => void
  readonly exec: (...words: ReadonlyArray<string>) => number
}

/** `WebAssembly` is declared here, because Node's types lack it. */
declare const WebAssembly: {
  readonly instantiate: (module: unknown, imports: unknown) => Promise<unknown>
  readonly Memory: {
    readonly prototype: { readonly buffer: ArrayBuffer; grow: (pages: number) => number }
  }
}

/**
 * Maximum memory for the package; its own limit would be 2 GiB. A ten-minute video of 118 MB needs
 * an eighth of this maximum.
 */
const memoryByteMax = 1_024 * 1_024 * 1_024
const pageBytes = 65_536

/** The log limits are the same as in `SystemFfmpeg.ts`. */
const logMax = { head: 256 * 1_024, tail: 8 * 1_024 }

/** Emscripten's error numbers for "input or output failed", "no space left" and "cannot seek". */
const errno = { io: 29, noSpace: 51, noSeek: 70 }

/** The devices' major number in Emscripten's file system, which can be any unused number. */
const deviceMajor = 90

const workerInput: WorkerInput = workerData

/** The first storage operation that failed. */
let storageCode: string | undefined

/** Node closes the files of a thread that has ended; other runtimes leave such files open. */
const openDescriptors: Array<number> = []

const open = (path: string, flags: string): number => {
  const descriptor = openSync(path, flags, 0o600)
  openDescriptors.push(descriptor)
  return descriptor
}

/**
 * Removes globals that could open a connection, and adds browser globals that the package expects.
 */
const prepareGlobals = (): void => {
  for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) {
    Reflect.deleteProperty(globalThis, name)
  }
  const readAsArrayBuffer = (part: { readonly buffer: ArrayBuffer }) => part.buffer
  const FileReaderSync = class {
    readonly readAsArrayBuffer = readAsArrayBuffer
  }
  for (const [name, value] of Object.entries({
    self: globalThis,
    location: { href: "file:///" },
    FileReaderSync
  })) {
    // Deno has its own `location`, which an assignment cannot replace.
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}

const limitMemory = (): void => {
  const grow = WebAssembly.Memory.prototype.grow
  WebAssembly.Memory.prototype.grow = function (pages) {
    // The package treats this error as a lack of memory, and the allocation fails.
    if (this.buffer.byteLength + pages * pageBytes > memoryByteMax) throw new RangeError("memory")
    return grow.call(this, pages)
  }
}

/** Runs a storage operation and remembers the first failure. */
const attempt = (step: () => void): boolean => {
  try {
    step()
    return true
  } catch (cause) {
    storageCode ??= String(Object(cause).code ?? cause)
    return false
  }
}

/** Opens a file for the package. Each part is read only when requested. */
const blobOf = (path: string) => {
  const descriptor = open(path, "r")
  const { size } = fstatSync(descriptor)
  const slice = (from: number, to: number) => {
    const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from))
    attempt(() => {
      for (let at = 0, count = -1; at < bytes.length && count !== 0; at += count) {
        count = readSync(descriptor, bytes, at, bytes.length - at, from + at)
      }
    })
    return { size: bytes.length, buffer: bytes.buffer }
  }
  return { size, slice }
}

const writeAll = (descriptor: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, bytes.length - at)
  }
}

/**
 * Creates a device that writes to a file outside the package. The file is opened when the first
 * byte is written.
 */
const makeDevice = ({ FS }: Ffmpeg, { minor, output }: { output: Output; minor: number }): void => {
  const refuse = (code: number): never => {
    throw new FS.ErrnoError(code)
  }
  let descriptor: number | undefined
  let written = 0
  const write = (bytes: Uint8Array): void => {
    descriptor ??= open(output.path, "w")
    writeAll(descriptor, bytes)
  }
  const device = FS.makedev(deviceMajor, minor)
  FS.registerDevice(device, {
    open: () => undefined,
    close: () => undefined,
    write: (_stream: unknown, ...[memory, from, length]: [Uint8Array, number, number]) => {
      written += length
      if (written > workerInput.fileByteMax) return refuse(errno.io)
      return attempt(() => write(memory.subarray(from, from + length)))
        ? length
        : refuse(errno.noSpace)
    },
    llseek: () => refuse(errno.noSeek)
  })
  FS.mkdev(output.device, 0o666, device)
}

const connect = (core: Ffmpeg): void => {
  const { FS } = core
  for (const [minor, output] of workerInput.outputs.entries()) makeDevice(core, { output, minor })
  FS.mkdir(workerInput.input.folder)
  const blobs = [{ name: workerInput.input.name, data: blobOf(workerInput.input.path) }]
  FS.mount(FS.filesystems.WORKERFS, { blobs }, workerInput.input.folder)
}

const load = async (): Promise<Ffmpeg> => {
  const { script } = workerInput.core
  const create: (options: object) => Promise<Ffmpeg> = createRequire(script)(script)
  // The script reads the URLs of its other files from this text. The URLs are empty, so that the
  // script downloads nothing.
  const parts = btoa(JSON.stringify({ wasmURL: "", workerURL: "" }))
  return await create({
    instantiateWasm: (imports: unknown, done: (instance: unknown) => void) => {
      WebAssembly.instantiate(workerInput.core.module, imports).then(done)
      return {}
    },
    mainScriptUrlOrBlob: `#${parts}`
  })
}

const decode = (core: Ffmpeg): Run => {
  let head = ""
  let tail = ""
  core.setLogger(({ message }) => {
    // Every run ends with "Aborted()", even a successful run.
    if (message === "Aborted()") return
    const room = logMax.head - head.length
    head += `${message}\n`.slice(0, room)
    tail = `${tail}${`${message}\n`.slice(Math.max(0, room))}`.slice(-logMax.tail)
  })
  connect(core)
  const code = core.exec(...workerInput.arguments)
  for (const descriptor of openDescriptors) closeSync(descriptor)
  const end: End =
    storageCode === undefined
      ? { _tag: "Exited", code }
      : { _tag: "StorageFailed", code: storageCode }
  return { end, log: `${head}${tail}` }
}

const postMessage = (message: WorkerMessage): void => parentPort?.postMessage(message)

prepareGlobals()
limitMemory()
// A failure is not caught here: it crashes the thread, and the thread's parent receives the error.
void load().then((core) => {
  postMessage({ _tag: "Loaded" })
  postMessage({ _tag: "Ended", run: decode(core) })
})
