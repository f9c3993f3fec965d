/**
 * Responds to bytes that never become a request, and to requests that never end. Errors of Node's
 * parser get the format of our APIs. The status is 400, 408 for a slow client, or 429 for an
 * address with too many connections.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { requestIdHeader, toErrorBody, toRequestId } from "@verbatim/http"

/** A refusal with the request id that the log shows. */
export interface IdentifiedRefusal extends Refusal {
  readonly id: string
}

/** Adds a request id to a refusal: the client's own if it sent one, otherwise a new one. */
export const identify = (refusal: Refusal, request?: IncomingMessage): IdentifiedRefusal => {
  const sent = request?.headers[requestIdHeader]
  return { ...refusal, id: toRequestId(typeof sent === "string" ? sent : undefined) }
}

/** Statuses of refusals and their reason phrases. */
const reasons = {
  400: "Bad Request",
  408: "Request Timeout",
  429: "Too Many Requests",
  503: "Service Unavailable"
} as const

interface StatusMessage {
  readonly status: keyof typeof reasons
  readonly message: string
}

/** A refusal that is sent before the request reaches a route. */
export interface Refusal extends StatusMessage {
  /** The path of the request. An empty path selects the format of transcription errors. */
  readonly path: string
  /** The origin of the page that sent the request, if the browser named it. */
  readonly origin?: string | undefined
}

/** Returns the headers that a page from this origin needs to read a response. */
export type OriginHeaders = (origin: string | undefined) => Readonly<Record<string, string>>

/** The headers for refusals, and the function that logs them. */
export interface RefusalOptions {
  readonly originHeaders: OriginHeaders
  readonly onRefused: (refusal: IdentifiedRefusal) => void
}

/** Maximum size of the request line and all headers, in bytes. This is Node's default. */
export const headByteMax = 16_384

const tooSlow: StatusMessage = { status: 408, message: "Request Timeout" }

const refuse = (rule: string): StatusMessage => ({
  status: 400,
  message: `Invalid request: ${rule}`
})

/**
 * Refusals, keyed by Node's error codes. Any other code means an incomplete body, or bytes that are
 * not HTTP.
 */
const statusMessages: Readonly<Record<string, StatusMessage>> = {
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
  HPE_HEADER_OVERFLOW: refuse(`its path and headers must fit in ${headByteMax} bytes`),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse("its chunk extensions are too long"),
  HPE_INVALID_METHOD: refuse("its method is unknown"),
  HPE_UNEXPECTED_CONTENT_LENGTH: refuse("it must have one length"),
  HPE_INVALID_TRANSFER_ENCODING: refuse("it must have one length"),
  HPE_INVALID_CONTENT_LENGTH: refuse("its length must be a number")
}

/** A connection error, as Node reports it. */
export interface ConnectionError extends Error {
  readonly code?: string
  /** The packet in which the parser failed. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Whether the client can still get a response. On a broken connection, it cannot. */
export const isAnswerable = ({ code = "" }: ConnectionError): boolean =>
  code.startsWith("HPE_") || code === "ERR_HTTP_REQUEST_TIMEOUT"

/** Builds the refusal for an error in an unfinished request or in a packet's bytes. */
export const toRefusal = (error: ConnectionError, unfinished?: IncomingMessage): Refusal => ({
  ...(statusMessages[error.code ?? ""] ??
    refuse(unfinished === undefined ? "it is not HTTP" : "its body is not complete")),
  path: unfinished?.url ?? findPath(error),
  origin: unfinished === undefined ? findOrigin(error) : unfinished.headers.origin
})

/** Responds to a client that has sent nothing for too long. */
export const toTimeout = ({ headers, url = "" }: IncomingMessage): Refusal => ({
  ...tooSlow,
  path: url,
  origin: headers.origin
})

/** Responds to a request that arrives before the server is ready, or after it has stopped. */
export const toUnready = ({ headers, url = "" }: IncomingMessage): Refusal => ({
  status: 503,
  message: "The server is starting or stopping: try again in a moment",
  path: url,
  origin: headers.origin
})

/** Number of bytes of a packet that are searched for a path or an origin. */
const scanLengthMax = 65_536

/**
 * Finds the path of the request in which the parser failed: it is in the last line before the
 * failure that looks like a request line. Node keeps no earlier packets. If the request line
 * arrived in one of them, the path is unknown, and the refusal does not have the format of the
 * requested API.
 */
const findPath = ({ bytesParsed = 0, rawPacket }: ConnectionError): string => {
  if (rawPacket === undefined) return ""
  const text = rawPacket.subarray(0, scanLengthMax).toString("latin1")
  const lines = [...text.matchAll(/(?<=^|\n)[A-Za-z]{1,32} (\/[^\s]*)/g)]
  return lines.findLast(({ index }) => index <= bytesParsed)?.[1] ?? ""
}

/** The bytes that end a request's headers. */
const blank = "\r\n\r\n"

/** Finds the origin in the headers that the parser rejected, if they are in the same packet. */
const findOrigin = ({ bytesParsed = 0, rawPacket }: ConnectionError): string | undefined => {
  const text = rawPacket?.subarray(0, scanLengthMax).toString("latin1") ?? ""
  const before = text.lastIndexOf(blank, bytesParsed - blank.length - 1)
  const start = before === -1 ? 0 : before + blank.length
  const [head] = text.slice(start).split(blank, 1)
  return /^origin:[ \t]*(\S+)\r?$/im.exec(head ?? "")?.[1]
}

/** Returns the body and headers for a refusal. */
const encode = (
  { id, message, origin, path, status }: IdentifiedRefusal,
  toHeaders: OriginHeaders
) => {
  const body = JSON.stringify(toErrorBody(path, { status, message }))
  const headers = {
    ...toHeaders(origin),
    ...(status === 503 ? { "retry-after": "1" } : {}),
    [requestIdHeader]: id,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close"
  }
  return { body, headers }
}

/** Encodes a refusal as bytes, for a connection on which no request was parsed. */
export const toBytes = (refusal: IdentifiedRefusal, toHeaders: OriginHeaders): string => {
  const { body, headers } = encode(refusal, toHeaders)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const { status } = refusal
  return `HTTP/1.1 ${status} ${reasons[status]}\r\n${lines.join("")}\r\n${body}`
}

/** Responds to a partly parsed request. */
export const answerWith = (
  response: ServerResponse,
  refusal: IdentifiedRefusal,
  toHeaders: OriginHeaders
): void => {
  const { body, headers } = encode(refusal, toHeaders)
  response.writeHead(refusal.status, headers).end(body)
}
