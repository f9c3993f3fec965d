/** What is wrong with an answer, if anything is. */
import { constants, gunzipSync } from "node:zlib"
import type { Exchanged } from "./Exchange.ts"
import type { Request } from "./Requests.ts"

/** The first answer of a connection. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/

const unchunked = (text: string): string => {
  let rest = text
  let body = ""
  for (;;) {
    const size = /^([0-9a-f]+)[^\r\n]*\r\n/i.exec(rest)
    const length = Number.parseInt(size?.[1] ?? "0", 16)
    if (size === null || length === 0) return body
    body += rest.slice(size[0].length, size[0].length + length)
    rest = rest.slice(size[0].length + length + 2)
  }
}

/** The first final answer; those that announce another one are passed over. */
export const answerOf = (received: Uint8Array): Answer | undefined => {
  // One character for each byte, so that lengths are those of the wire.
  let text = Buffer.from(received).toString("latin1")
  for (;;) {
    const found = head.exec(text)
    if (found === null) return undefined
    const [all, code = "", headers = ""] = found
    text = text.slice(all.length)
    const status = Number(code)
    if (status < 200) continue
    const valueOf = (name: string) =>
      new RegExp(`^${name}: ([^\\r]*)`, "im").exec(headers)?.[1] ?? ""
    const body = /chunked/i.test(valueOf("transfer-encoding"))
      ? unchunked(text)
      : text.slice(0, Number(valueOf("content-length") || 0))
    const bytes = Buffer.from(body, "latin1")
    const isPacked = valueOf("content-encoding") === "gzip" && bytes.length > 0
    // What broke off is judged as far as it came, in either form.
    const unpacked = isPacked ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes
    const utf8 = unpacked.toString()
    return { status, type: valueOf("content-type"), body: utf8 }
  }
}

/** What a server tells nobody: where it lies, how it asks its store, where it failed. */
const secret = /node_modules|\/packages\/|\bat \S+ \(|SQLITE_|SELECT |INSERT INTO|\.ts:\d+|vbk_/

/** Failures that the specification asks for, and readiness. */
const isSpecified = (operation: string, { body, status }: Answer): boolean =>
  (operation === "GET /v1/status/{id}/{modifier}" &&
    status === 500 &&
    /Transcription result not found|Failed to access the file or invalid URL/.test(body)) ||
  (operation === "GET /health/ready" && status === 503)

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** One sentence, or none. */
export const judge = (
  { bytes, isWhole, operation }: Request,
  { end, received }: Exchanged
): string | undefined => {
  if (end === "silent") return "the server went silent"
  const answer = answerOf(received)
  if (answer === undefined) return isWhole ? `it got no answer: ${end}` : undefined
  const { body, status, type } = answer
  // HEAD alone is answered without a body. Empty lines may come before a request.
  const isHead = /^[\r\n]*HEAD/.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"))
  if (status >= 500 && !isHead && !isSpecified(operation, answer))
    return `it got ${status}: ${body}`
  if (secret.test(body)) return `the answer tells too much: ${body}`
  if (status >= 400 && !isHead && !(type.startsWith("application/json") && isJson(body))) {
    return `its refusal, ${status}, has no JSON: ${type} ${body}`
  }
  return undefined
}
