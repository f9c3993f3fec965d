/**
 * What is said to bytes that never become a request, or to a request that never ends: the errors of
 * Node's parser in the form of our APIs. They answer 400, 408 where the client was too slow, and
 * 429 where its address has too many connections.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { requestIdHeader, toErrorBody, toRequestId } from "@verbatim/http"

/** A refusal that is said, by the name that the log has for it. */
export interface IdentifiedRefusal extends Refusal {
  readonly id: string
}

/** Names a refusal as its request is named, where there is one. */
export const identify = (refusal: Refusal, request?: IncomingMessage): IdentifiedRefusal => {
  const sent = request?.headers[requestIdHeader]
  return { ...refusal, id: toRequestId(typeof sent === "string" ? sent : undefined) }
}

/** The statuses of refusals, and how each reads. */
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

/** An answer that no operation gives. */
export interface Refusal extends StatusMessage {
  /** The path of the request, or an empty one: then the form is that of transcriptions. */
  readonly path: string
  /** The origin of the page that asked, where a browser named one. */
  readonly origin?: string | undefined
}

/** The headers that the page of an origin needs to read an answer. */
export type OriginHeaders = (origin: string | undefined) => Readonly<Record<string, string>>

/** What a refusal needs beside its words. */
export interface RefusalOptions {
  readonly originHeaders: OriginHeaders
  /** Hears of what was refused before it was a request. */
  readonly onRefused: (refusal: IdentifiedRefusal) => void
}

/** Longest request line with all headers, in bytes. Node's own default, written out. */
export const headByteMax = 16_384

const tooSlow: StatusMessage = { status: 408, message: "Request Timeout" }

const refuse = (rule: string): StatusMessage => ({
  status: 400,
  message: `Invalid request: ${rule}`
})

/** By the codes of Node; all others mean that a body breaks off, or that the bytes are not HTTP. */
const statusMessages: Readonly<Record<string, StatusMessage>> = {
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
  HPE_HEADER_OVERFLOW: refuse(`its path and headers must fit in ${headByteMax} bytes`),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse("its chunk extensions are too long"),
  HPE_INVALID_METHOD: refuse("its method is unknown"),
  HPE_UNEXPECTED_CONTENT_LENGTH: refuse("it must have one length"),
  HPE_INVALID_TRANSFER_ENCODING: refuse("it must have one length"),
  HPE_INVALID_CONTENT_LENGTH: refuse("its length must be a number")
}

/** An error of a connection, as Node reports it. */
export interface ConnectionError extends Error {
  readonly code?: string
  /** The bytes in which the parser failed, and how far it came. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Whether there is somebody left to be answered: a broken connection has nobody. */
export const isAnswerable = ({ code = "" }: ConnectionError): boolean =>
  code.startsWith("HPE_") || code === "ERR_HTTP_REQUEST_TIMEOUT"

/** Tells what an error means for the request whose body was on its way, or else for its bytes. */
export const toRefusal = (error: ConnectionError, unfinished?: IncomingMessage): Refusal => ({
  ...(statusMessages[error.code ?? ""] ??
    refuse(unfinished === undefined ? "it is not HTTP" : "its body is not complete")),
  path: unfinished?.url ?? findPath(error),
  origin: unfinished === undefined ? findOrigin(error) : unfinished.headers.origin
})

/** Says to a client that it sent nothing for too long. */
export const toTimeout = ({ headers, url = "" }: IncomingMessage): Refusal => ({
  ...tooSlow,
  path: url,
  origin: headers.origin
})

/** A request that comes before the server is ready, or after it has stopped. */
export const toUnready = ({ headers, url = "" }: IncomingMessage): Refusal => ({
  status: 503,
  message: "The server is starting or stopping: try again in a moment",
  path: url,
  origin: headers.origin
})

/** Longest part of a packet in which a path or an origin is looked for. */
const scanLengthMax = 65_536

/**
 * Finds the path of the request that the parser failed in, where its first line is in the same
 * packet: the last line before the failure that begins like a request. Node keeps no packet before
 * that one, so a bad head gets the form of its API only where it came with its first line.
 */
const findPath = ({ bytesParsed = 0, rawPacket }: ConnectionError): string => {
  if (rawPacket === undefined) return ""
  const text = rawPacket.subarray(0, scanLengthMax).toString("latin1")
  const lines = [...text.matchAll(/(?<=^|\n)[A-Za-z]{1,32} (\/[^\s]*)/g)]
  return lines.findLast(({ index }) => index <= bytesParsed)?.[1] ?? ""
}

/** What ends a head. */
const blank = "\r\n\r\n"

/** Finds the origin in the head that the parser failed in, where it is in the same packet. */
const findOrigin = ({ bytesParsed = 0, rawPacket }: ConnectionError): string | undefined => {
  const text = rawPacket?.subarray(0, scanLengthMax).toString("latin1") ?? ""
  const before = text.lastIndexOf(blank, bytesParsed - blank.length - 1)
  const start = before === -1 ? 0 : before + blank.length
  const [head] = text.slice(start).split(blank, 1)
  return /^origin:[ \t]*(\S+)\r?$/im.exec(head ?? "")?.[1]
}

/** The body of a refusal and the headers that go with it. */
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

/** Makes a refusal as bytes, for a connection on which no request was parsed. */
export const toBytes = (refusal: IdentifiedRefusal, toHeaders: OriginHeaders): string => {
  const { body, headers } = encode(refusal, toHeaders)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const { status } = refusal
  return `HTTP/1.1 ${status} ${reasons[status]}\r\n${lines.join("")}\r\n${body}`
}

/** Answers a request that was parsed in part. */
export const answerWith = (
  response: ServerResponse,
  refusal: IdentifiedRefusal,
  toHeaders: OriginHeaders
): void => {
  const { body, headers } = encode(refusal, toHeaders)
  response.writeHead(refusal.status, headers).end(body)
}
