/**
 * The thread of `WasmWorker.ts` as a text, made by `npm run documents -- --write`. It starts
 * from here, because a bundle has no other file to start it from.
 */

/** The thread's script. */
export const wasmScript = `
const { closeSync, fstatSync, openSync, readSync, writeSync } = process.getBuiltinModule("node:fs")
const { createRequire } = process.getBuiltinModule("node:module")
const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads")
const memoryByteMax = 1_024 * 1_024 * 1_024
const pageBytes = 65_536
const logMax = { head: 256 * 1_024, tail: 8 * 1_024 }
const errno = { io: 29, noSpace: 51, noSeek: 70 }
const deviceMajor = 90
const workerInput = workerData
let storageCode
const openDescriptors = []
const open = (path , flags) => {
  const descriptor = openSync(path, flags, 0o600)
  openDescriptors.push(descriptor)
  return descriptor
}
const prepareGlobals = () => {
  for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) {
    Reflect.deleteProperty(globalThis, name)
  }
  const readAsArrayBuffer = (part) => part.buffer
  const FileReaderSync = class {
             readAsArrayBuffer = readAsArrayBuffer
  }
  for (const [name, value] of Object.entries({
    self: globalThis,
    location: { href: "file:///" },
    FileReaderSync
  })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}
const limitMemory = () => {
  const grow = WebAssembly.Memory.prototype.grow
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * pageBytes > memoryByteMax) throw new RangeError("memory")
    return grow.call(this, pages)
  }
}
const attempt = (step) => {
  try {
    step()
    return true
  } catch (cause) {
    storageCode ??= String(Object(cause).code ?? cause)
    return false
  }
}
const blobOf = (path) => {
  const descriptor = open(path, "r")
  const { size } = fstatSync(descriptor)
  const slice = (from , to) => {
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
const writeAll = (descriptor , bytes) => {
  for (let at = 0; at < bytes.length;) {
    at += writeSync(descriptor, bytes, at, bytes.length - at)
  }
}
const makeDevice = ({ FS } , { minor, output }) => {
  const refuse = (code) => {
    throw new FS.ErrnoError(code)
  }
  let descriptor
  let written = 0
  const write = (bytes) => {
    descriptor ??= open(output.path, output.flags)
    writeAll(descriptor, bytes)
  }
  const device = FS.makedev(deviceMajor, minor)
  FS.registerDevice(device, {
    open: () => undefined,
    close: () => undefined,
    write: (_stream , ...[memory, from, length]) => {
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
const connect = (core) => {
  const { FS } = core
  for (const [minor, output] of workerInput.outputs.entries()) makeDevice(core, { output, minor })
  FS.mkdir(workerInput.input.folder)
  const blobs = [{ name: workerInput.input.name, data: blobOf(workerInput.input.path) }]
  FS.mount(FS.filesystems.WORKERFS, { blobs }, workerInput.input.folder)
}
const load = async () => {
  const { script } = workerInput.core
  const create = createRequire(script)(script)
  const parts = btoa(JSON.stringify({ wasmURL: "", workerURL: "" }))
  return await create({
    instantiateWasm: (imports , done) => {
      WebAssembly.instantiate(workerInput.core.module, imports).then(done)
      return {}
    },
    mainScriptUrlOrBlob: \`#\${parts}\`
  })
}
const decode = (core) => {
  let head = ""
  let tail = ""
  core.setLogger(({ message }) => {
    if (message === "Aborted()") return
    const room = logMax.head - head.length
    head += \`\${message}\\n\`.slice(0, room)
    tail = \`\${tail}\${\`\${message}\\n\`.slice(Math.max(0, room))}\`.slice(-logMax.tail)
  })
  connect(core)
  const code = core.exec(...workerInput.arguments)
  for (const descriptor of openDescriptors) closeSync(descriptor)
  const end =
    storageCode === undefined
      ? { _tag: "Exited", code }
      : { _tag: "StorageFailed", code: storageCode }
  return { end, log: \`\${head}\${tail}\` }
}
const postMessage = (message) => parentPort?.postMessage(message)
prepareGlobals()
limitMemory()
void load().then((core) => {
  postMessage({ _tag: "Loaded" })
  postMessage({ _tag: "Ended", run: decode(core) })
})
`
