/**
 * Restores a request whose body the host has already read. The stream has ended, and the parsed
 * value is in `body`. This module serializes that value again, so that the body can be read
 * normally.
 */
import { IncomingMessage } from "node:http"

const essenceOf = ({ headers }: IncomingMessage): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

/** Encodes a form. If a name occurs several times, its value is an array. */
const writeForm = (form: object): string => {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    for (const each of [value].flat()) written.append(name, toText(each))
  }
  return written.toString()
}

const writeParsed = (body: unknown, essence: string): string => {
  if (body === undefined || essence === "multipart/form-data") return ""
  if (essence !== "application/x-www-form-urlencoded") return toText(body)
  return typeof body === "object" && body !== null ? writeForm(body) : toText(body)
}

interface Written {
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
}

/**
 * Encodes the parsed body. A value that cannot be encoded, such as ten thousand nested objects, is
 * treated like an empty body and refused.
 */
const write = (request: IncomingMessage): Written => {
  const raw: unknown = Reflect.get(request, "rawBody")
  const body: unknown = raw instanceof Uint8Array ? raw : Reflect.get(request, "body")
  if (body instanceof Uint8Array) {
    return { bytes: body, contentType: request.headers["content-type"] }
  }
  const essence = essenceOf(request)
  // The content type has no charset, because the host has already decoded the body.
  const contentType = essence === "" ? undefined : essence
  try {
    return { bytes: Buffer.from(writeParsed(body, essence)), contentType }
  } catch {
    return { bytes: new Uint8Array(), contentType }
  }
}

/** Returns the request itself, or a readable copy if its body has already been read. */
export const toUnread = (request: IncomingMessage): IncomingMessage => {
  if (!request.readableEnded) return request
  const { bytes, contentType } = write(request)
  // Removes the headers about encodings, because this body is not compressed.
  const { "content-encoding": _, "transfer-encoding": __, ...headers } = request.headers
  const unread = new IncomingMessage(request.socket)
  const { httpVersion, httpVersionMajor, httpVersionMinor, method, rawHeaders, url } = request
  Object.assign(unread, {
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    method,
    rawHeaders,
    url
  })
  Object.assign(unread, { originalUrl: Reflect.get(request, "originalUrl"), complete: true })
  unread.headers = {
    ...headers,
    "content-length": String(bytes.length),
    ...(contentType === undefined ? {} : { "content-type": contentType })
  }
  unread.push(bytes)
  unread.push(null)
  return unread
}
