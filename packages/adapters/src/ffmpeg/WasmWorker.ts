/**
 * Runs ffmpeg as WebAssembly for one file, in a separate thread. The package is made for browsers,
 * so this module provides the globals that the package expects. The package reads the file through
 * its worker file system, which accepts any object with `slice`, and writes audio to devices
 * defined here. Memory therefore does not grow with the file.
 */
import type { End, Run } from "./FfmpegOutcome.ts"

/** The package: its script and its compiled code, shared by all threads. */
export interface Core {
  readonly script: string
  readonly module: unknown
}

/** An output file of the package. */
interface Output {
  readonly device: string
  readonly path: string
}

/** The thread's input. */
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

/** The parts of the running package, version 0.12.10, that are used here. */
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

/** Node's types lack `WebAssembly`. */
declare const WebAssembly: {
  readonly instantiate: (module: unknown, imports: unknown) => Promise<unknown>
  readonly Memory: {
    readonly prototype: { readonly buffer: ArrayBuffer; grow: (pages: number) => number }
  }
}

/**
 * The program of the thread. The thread is started from the text of this class, because a bundle
 * has no separate file for it. The class therefore refers only to globals and its own members.
 */
class DecoderThread {
  /**
   * Maximum memory for the package, whose own limit is 2 GiB. A ten-minute video of 118 MB needs an
   * eighth of this maximum.
   */
  readonly memoryByteMax = 1_024 * 1_024 * 1_024
  readonly pageBytes = 65_536
  /** The same limits as in `SystemFfmpeg.ts`. */
  readonly logMax = { head: 256 * 1_024, tail: 8 * 1_024 }
  /** Emscripten's error numbers for "input or output failed", "no space left" and "cannot seek". */
  readonly errno = { io: 29, noSpace: 51, noSeek: 70 }
  /** The devices' major number in Emscripten's file system. Any unused number works. */
  readonly deviceMajor = 90
  readonly fs = process.getBuiltinModule("node:fs")
  readonly input: WorkerInput = process.getBuiltinModule("node:worker_threads").workerData
  /** The first storage operation that failed. */
  storageCode: string | undefined
  /** Node closes the files of a thread that has ended; other runtimes leave such files open. */
  readonly openDescriptors: Array<number> = []

  open(path: string, flags: string): number {
    const descriptor = this.fs.openSync(path, flags, 0o600)
    this.openDescriptors.push(descriptor)
    return descriptor
  }

  /**
   * Removes globals that could open a connection, and adds browser globals that the package
   * expects.
   */
  prepareGlobals(): void {
    for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) {
      Reflect.deleteProperty(globalThis, name)
    }
    const FileReaderSync = class {
      readAsArrayBuffer(part: { readonly buffer: ArrayBuffer }) {
        return part.buffer
      }
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

  limitMemory(): void {
    const { memoryByteMax, pageBytes } = this
    const grow = WebAssembly.Memory.prototype.grow
    WebAssembly.Memory.prototype.grow = function (pages) {
      // The package treats this error as a lack of memory, and the allocation fails.
      if (this.buffer.byteLength + pages * pageBytes > memoryByteMax) throw new RangeError("memory")
      return grow.call(this, pages)
    }
  }

  /** Runs a storage operation and remembers the first failure. */
  attempt(step: () => void): boolean {
    try {
      step()
      return true
    } catch (cause) {
      this.storageCode ??= String(Object(cause).code ?? cause)
      return false
    }
  }

  /** Opens a file for the package. Each part is read only when requested. */
  blobOf(path: string) {
    const descriptor = this.open(path, "r")
    const { size } = this.fs.fstatSync(descriptor)
    const slice = (from: number, to: number) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from))
      this.attempt(() => {
        for (let at = 0, count = -1; at < bytes.length && count !== 0; at += count) {
          count = this.fs.readSync(descriptor, bytes, at, bytes.length - at, from + at)
        }
      })
      return { size: bytes.length, buffer: bytes.buffer }
    }
    return { size, slice }
  }

  writeAll(descriptor: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      at += this.fs.writeSync(descriptor, bytes, at, bytes.length - at)
    }
  }

  /**
   * Creates a device that writes to a file outside the package. The file is opened when the first
   * byte is written.
   */
  makeDevice({ FS }: Ffmpeg, { minor, output }: { output: Output; minor: number }): void {
    const refuse = (code: number): never => {
      throw new FS.ErrnoError(code)
    }
    let descriptor: number | undefined
    let written = 0
    const write = (bytes: Uint8Array): void => {
      descriptor ??= this.open(output.path, "w")
      this.writeAll(descriptor, bytes)
    }
    const device = FS.makedev(this.deviceMajor, minor)
    FS.registerDevice(device, {
      open: () => undefined,
      close: () => undefined,
      write: (_stream: unknown, ...[memory, from, length]: [Uint8Array, number, number]) => {
        written += length
        if (written > this.input.fileByteMax) return refuse(this.errno.io)
        return this.attempt(() => write(memory.subarray(from, from + length)))
          ? length
          : refuse(this.errno.noSpace)
      },
      llseek: () => refuse(this.errno.noSeek)
    })
    FS.mkdev(output.device, 0o666, device)
  }

  connect(core: Ffmpeg): void {
    const { FS } = core
    const { input, outputs } = this.input
    for (const [minor, output] of outputs.entries()) this.makeDevice(core, { output, minor })
    FS.mkdir(input.folder)
    const blobs = [{ name: input.name, data: this.blobOf(input.path) }]
    FS.mount(FS.filesystems.WORKERFS, { blobs }, input.folder)
  }

  load(): Promise<Ffmpeg> {
    const { module, script } = this.input.core
    const create = process.getBuiltinModule("node:module").createRequire(script)(script)
    // The script reads the URLs of its other files from this text. The URLs are empty, so that the
    // script downloads nothing.
    const parts = btoa(JSON.stringify({ wasmURL: "", workerURL: "" }))
    return create({
      instantiateWasm: (imports: unknown, done: (instance: unknown) => void) => {
        WebAssembly.instantiate(module, imports).then(done)
        return {}
      },
      mainScriptUrlOrBlob: `#${parts}`
    })
  }

  decode(core: Ffmpeg): Run {
    let head = ""
    let tail = ""
    core.setLogger(({ message }) => {
      // Every run ends with "Aborted()", even a successful run.
      if (message === "Aborted()") return
      const room = this.logMax.head - head.length
      head += `${message}\n`.slice(0, room)
      tail = `${tail}${`${message}\n`.slice(Math.max(0, room))}`.slice(-this.logMax.tail)
    })
    this.connect(core)
    const code = core.exec(...this.input.arguments)
    for (const descriptor of this.openDescriptors) this.fs.closeSync(descriptor)
    const end: End =
      this.storageCode === undefined
        ? { _tag: "Exited", code }
        : { _tag: "StorageFailed", code: this.storageCode }
    return { end, log: `${head}${tail}` }
  }

  /** A failure crashes the thread, and the thread's parent receives the error. */
  run(): void {
    this.prepareGlobals()
    this.limitMemory()
    const { parentPort } = process.getBuiltinModule("node:worker_threads")
    const post = (message: WorkerMessage): void => parentPort?.postMessage(message)
    void this.load().then((core) => {
      post({ _tag: "Loaded" })
      post({ _tag: "Ended", run: this.decode(core) })
    })
  }
}

/** The thread's script. It defines `__name`, which some bundlers call to name functions. */
export const threadScript: string = [
  "const __name = (value) => value",
  `new (${DecoderThread})().run()`
].join("\n")
