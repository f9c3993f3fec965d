/**
 * Reads the body of a provider request if reading is cheap and lossless, and writes a changed body
 * as the same kind of body.
 */
import type { Format } from "../Format.ts"

// The end of the path identifies the format, whatever the provider.

const endings: ReadonlyArray<readonly [ending: string, format: Format]> = [
  ["/responses", "responses"],
  ["/chat/completions", "chatCompletions"],
  ["/messages", "messages"]
]

/** The base for parsing relative paths. */
const anyBase = "https://verbatim.example"

/** The format of an endpoint; undefined for other endpoints. */
const formatOfPath = (url: string): Format | undefined => {
  if (!URL.canParse(url, anyBase)) return undefined
  const path = new URL(url, anyBase).pathname.replace(/\/$/, "")
  return endings.find(([ending]) => path.endsWith(ending))?.[1]
}

/** The first argument of `fetch`, for which some platforms' types have no name. */
export type FetchInput = string | URL | Request

type HeadersInit = NonNullable<RequestInit["headers"]>

/** A request whose body may be JSON. */
export interface ReadRequest {
  /** The endpoint's format; undefined if the endpoint takes no inference requests. */
  readonly format: Format | undefined
  /** The URL and, for the AI SDK's gateway, the header with the model. */
  readonly place: string
  readonly text: string
  readonly signal: AbortSignal | null | undefined
  /** Returns the arguments for `fetch` with a different body. */
  readonly write: (text: string) => readonly [input: FetchInput, init?: RequestInit]
}

/** Headers that describe the bytes of a body, and are therefore wrong for any other body. */
const bodyHeaders = ["content-length", "content-digest", "digest", "content-md5"]

/** Maximum length of a body to read. While a `Request` is read, its body is in memory twice. */
const characterMax = 64 * 1024 * 1024

/**
 * Returns the headers for a changed body: the same headers, unless one of them describes the body's
 * bytes.
 */
const headersFor = (given: HeadersInit | undefined): { readonly headers?: Headers } => {
  const headers = new Headers(given)
  if (!bodyHeaders.some((name) => headers.has(name))) return {}
  for (const name of bodyHeaders) headers.delete(name)
  return { headers }
}

type Body = Exclude<RequestInit["body"], undefined>

/** The text of a body, and a function that writes another body of the same kind. */
interface ReadBody {
  readonly text: string
  readonly write: (text: string) => NonNullable<Body>
}

const decoder = new TextDecoder()

const encode = (text: string) => new TextEncoder().encode(text)

/** Reads a body that is in memory. Forms contain no JSON, and a stream can be read only once. */
const readBody = async (body: Body): Promise<ReadBody | undefined> => {
  if (typeof body === "string") return { text: body, write: (text) => text }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) {
    return { text: decoder.decode(body), write: encode }
  }
  if (!(body instanceof Blob) || body.size > characterMax) return undefined
  return { text: await body.text(), write: (text) => new Blob([text], { type: body.type }) }
}

const isJson = (headers: Headers): boolean => /\bjson\b/i.test(headers.get("content-type") ?? "")

/** Reads a copy of a `Request`, whose body is a stream, and leaves the request untouched. */
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

/** Reads the arguments of `fetch`; undefined for requests that are passed through. */
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
