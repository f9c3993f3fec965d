/**
 * Reads the body of a provider request if this is cheap and lossless, and writes a changed body as
 * the same type.
 */
import type { Format } from "../Format.ts"

// For every provider, the end of the path identifies the format.

const endings: ReadonlyArray<readonly [ending: string, format: Format]> = [
  ["/responses", "responses"],
  ["/chat/completions", "chatCompletions"],
  ["/messages", "messages"]
]

/** The base URL for parsing relative paths. */
const anyBase = "https://verbatim.example"

/** Detects the format of an endpoint; returns undefined for other endpoints. */
const formatOfPath = (url: string): Format | undefined => {
  if (!URL.canParse(url, anyBase)) return undefined
  const path = new URL(url, anyBase).pathname.replace(/\/$/, "")
  return endings.find(([ending]) => path.endsWith(ending))?.[1]
}

/** The type of the first argument of `fetch`, for which some platforms have no name. */
export type FetchInput = string | URL | Request

type HeadersInit = NonNullable<RequestInit["headers"]>

/** A request whose body may be JSON. */
export interface ReadRequest {
  /** The endpoint's format; undefined if the endpoint takes no inference requests. */
  readonly format: Format | undefined
  /** The URL and the header in which the AI SDK's gateway puts the model. */
  readonly place: string
  readonly text: string
  readonly signal: AbortSignal | null | undefined
  /** Returns arguments for `fetch` that send a different body. */
  readonly write: (text: string) => readonly [input: FetchInput, init?: RequestInit]
}

/** Headers that describe the bytes of one body, and would be wrong for any other. */
const bodyHeaders = ["content-length", "content-digest", "digest", "content-md5"]

/** The longest body to read. While a `Request` is read, its body is in memory twice. */
const characterMax = 64 * 1024 * 1024

/** Returns the headers for a changed body, without those that describe the old body's bytes. */
const headersFor = (given: HeadersInit | undefined): { readonly headers?: Headers } => {
  const headers = new Headers(given)
  if (!bodyHeaders.some((name) => headers.has(name))) return {}
  for (const name of bodyHeaders) headers.delete(name)
  return { headers }
}

type Body = Exclude<RequestInit["body"], undefined>

/** A body's text, and a function that writes another text as the same type of body. */
interface ReadBody {
  readonly text: string
  readonly write: (text: string) => NonNullable<Body>
}

const decoder = new TextDecoder()

const encode = (text: string) => new TextEncoder().encode(text)

/**
 * Reads a body that is in memory. A form contains no JSON, and a stream can be read only once, so
 * both are skipped.
 */
const readBody = async (body: Body): Promise<ReadBody | undefined> => {
  if (typeof body === "string") return { text: body, write: (text) => text }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) {
    return { text: decoder.decode(body), write: encode }
  }
  if (!(body instanceof Blob) || body.size > characterMax) return undefined
  return { text: await body.text(), write: (text) => new Blob([text], { type: body.type }) }
}

const isJson = (headers: Headers): boolean => /\bjson\b/i.test(headers.get("content-type") ?? "")

/** Reads a copy of a `Request`, so that the original stream stays unread. */
const readRequest = async (request: Request): Promise<string | undefined> => {
  const length = Number(request.headers.get("content-length") ?? 0)
  if (request.bodyUsed || !isJson(request.headers) || length > characterMax) return undefined
  return request.clone().text()
}

const withText = (
  request: Request,
  text: string,
  init: RequestInit | undefined
): readonly [Request, RequestInit?] => {
  const made = new Request(request, { body: text, ...headersFor(request.headers) })
  return init === undefined ? [made] : [made, { ...init, ...headersFor(init.headers) }]
}

/** Reads the arguments of `fetch`; returns undefined for requests to pass through. */
export const readFetch = async (
  input: FetchInput,
  init: RequestInit | undefined
): Promise<ReadRequest | undefined> => {
  const request = input instanceof Request ? input : undefined
  const method = init?.method ?? request?.method ?? "GET"
  if (method.toUpperCase() !== "POST") return undefined
  const url = request?.url ?? String(input)
  const format = formatOfPath(url)
  const given = init?.headers ?? request?.headers
  const headers = new Headers(given)
  const isRead = format !== undefined || isJson(headers)
  if (!isRead || headers.has("content-encoding")) return undefined
  const place = `${url} ${headers.get("ai-language-model-id") ?? headers.get("ai-model-id")}`
  const signal = init?.signal === undefined ? request?.signal : init.signal
  if (init?.body !== undefined && init.body !== null) {
    const read = await readBody(init.body)
    if (read === undefined) return undefined
    const write = (text: string) =>
      [input, { ...init, body: read.write(text), ...headersFor(given) }] as const
    return { format, place, text: read.text, signal, write }
  }
  const text = request && (await readRequest(request))
  if (request === undefined || text === undefined) return undefined
  return { format, place, text, signal, write: (next) => withText(request, next, init) }
}
