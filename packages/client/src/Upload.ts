/**
 * Creates request bodies that contain a file. The platform itself streams forms and blobs; this
 * module writes other streams as forms, chunk by chunk, and opens local files by path.
 */
import { unsent } from "./VerbatimError.ts"

/** Escapes a name for a form header, as browsers do. */
const escapeName = (name: string): string =>
  name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")

type Fields = Readonly<Record<string, unknown>>

/** Lists are sent as JSON, because list items can contain commas. */
const textOf = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value)

/** Returns the fields that have a value, as strings. */
const textsOf = (fields: Fields): ReadonlyArray<readonly [name: string, text: string]> =>
  Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    // In OpenAI's format, a list becomes several fields with the same name.
    const values = name.endsWith("[]") && Array.isArray(value) ? value : [value]
    return values.map((each) => [name, textOf(each)] as const)
  })

/** Builds a form. The file comes last, so that an invalid field is refused before the upload. */
export const makeForm = (fields: Fields, file: Blob, filename: string | undefined): FormData => {
  const form = new FormData()
  for (const [name, text] of textsOf(fields)) form.append(name, text)
  if (filename === undefined) form.append("file", file)
  else form.append("file", file, filename)
  return form
}

type Stream = ReadableStream<Uint8Array>

/** Writes the same form around a stream, and reads the stream only as fast as it is sent. */
export const writeForm = (
  fields: Fields,
  openFile: () => Stream,
  filename: string
): { readonly type: string; readonly open: () => Stream } => {
  const boundary = `verbatim-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`
  const head = (name: string, more = "") =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"${more}\r\n`
  const beginning = [
    ...textsOf(fields).map(([name, text]) => `${head(name)}\r\n${text}\r\n`),
    `${head("file", `; filename="${escapeName(filename)}"`)}`,
    "content-type: application/octet-stream\r\n\r\n"
  ].join("")
  const encoder = new TextEncoder()
  const open = () =>
    openFile().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => controller.enqueue(encoder.encode(beginning)),
        flush: (controller) => controller.enqueue(encoder.encode(`\r\n--${boundary}--\r\n`))
      })
    )
  return { type: `multipart/form-data; boundary=${boundary}`, open }
}

/** Whether the platform can send streams. Other platforms send the text `[object …]` instead. */
export const sendsStreams = (): boolean => {
  let isRead = false
  const request = new Request("https://verbatim.example", {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      isRead = true
      return "half" as const
    }
  } as RequestInit)
  return isRead && !request.headers.has("content-type")
}

interface Host {
  readonly getBuiltinModule?: (name: string) => unknown
}

interface Files {
  readonly openAsBlob: (path: string) => Promise<Blob>
  readonly promises: {
    readonly stat: (path: string) => Promise<{ readonly isFile: () => boolean }>
  }
}

/**
 * Opens the file at a path; the file is read while it is sent. Pipes are refused, because they
 * would block the process.
 */
export const fileAt = async (path: string): Promise<File> => {
  const { getBuiltinModule } = Object(Reflect.get(globalThis, "process")) as Host
  const files = getBuiltinModule?.("fs") as Files | undefined
  if (files === undefined) throw unsent("This platform cannot open files by path: pass a `file`")
  try {
    const found = await files.promises.stat(path)
    if (!found.isFile()) throw new Error("It is a folder, a pipe or a device")
    return new File([await files.openAsBlob(path)], path.split(/[\\/]/).at(-1) ?? path)
  } catch (cause) {
    throw unsent(`The file ${path} cannot be opened`, cause)
  }
}

const openers = new WeakMap<object, () => Stream>()

/** Returns the function that reopens a body; undefined if this module did not open the body. */
export const openerOf = (body: object): (() => Stream) | undefined => openers.get(body)

const openBody = (open: () => Stream): Stream => {
  const stream = open()
  openers.set(stream, open)
  return stream
}

/** Writes a call's body as a form if one of its fields is a file, and otherwise as JSON. */
export const writeBody = (body: unknown): string | FormData | ReadableStream => {
  if (typeof body === "function") return openBody(body as () => Stream)
  if (body instanceof FormData || body instanceof ReadableStream) return body
  if (typeof body === "object" && body !== null && "file" in body && body.file instanceof Blob) {
    const { file, ...fields } = body
    return makeForm(fields, file, undefined)
  }
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw unsent("The body cannot be written as JSON", cause)
  }
}
