/**
 * The body of a request to a provider: read where that costs little and loses nothing, and written
 * in the kind it came in.
 */
import type { Format } from "../Format.ts"

// Where inference requests go: the end of a path tells the format, whoever the provider is.

const endings: ReadonlyArray<readonly [ending: string, format: Format]> = [
  ["/responses", "responses"],
  ["/chat/completions", "chatCompletions"],
  ["/messages", "messages"]
]

/** A path of a page is read against anything. */
const anywhere = "https://verbatim.example"

/** The format that an endpoint takes; undefined for every other one. */
const formatOfPath = (url: string): Format | undefined => {
  if (!URL.canParse(url, anywhere)) return undefined
  const path = new URL(url, anywhere).pathname.replace(/\/$/, "")
  return endings.find(([ending]) => path.endsWith(ending))?.[1]
}

/** Where a request goes, or the request. Not every platform's types have a name for it. */
export type FetchInput = string | URL | Request

type HeadersInit = NonNullable<RequestInit["headers"]>

/** A request whose body is JSON, perhaps. */
export interface ReadRequest {
  /** Of the endpoint; undefined where it takes no inference requests. */
  readonly format: Format | undefined
  /** Where it goes and, as the AI SDK's gateway has it in a header, to which model. */
  readonly place: string
  readonly text: string
  readonly signal: AbortSignal | null | undefined
  /** What `fetch` is given in its place, with another text. */
  readonly write: (text: string) => readonly [input: FetchInput, init?: RequestInit]
}

/** Headers that are about the bytes of a body: of another body they are wrong. */
const bodyHeaders = ["content-length", "content-digest", "digest", "content-md5"]

/** More is no inference request that anybody sends; a request object is held twice meanwhile. */
const characterMax = 64 * 1024 * 1024

/** What a changed body changes about its headers: nothing, unless one of them is about the body. */
const headersFor = (given: HeadersInit | undefined): { readonly headers?: Headers } => {
  const headers = new Headers(given)
  if (!bodyHeaders.some((name) => headers.has(name))) return {}
  for (const name of bodyHeaders) headers.delete(name)
  return { headers }
}

type Body = Exclude<RequestInit["body"], undefined>

/** A text in a kind of body. */
interface ReadBody {
  readonly text: string
  readonly write: (text: string) => NonNullable<Body>
}

const decoder = new TextDecoder()

const encode = (text: string) => new TextEncoder().encode(text)

/** Reads a body that is all there. Forms hold no JSON, and a stream could be read but once. */
const readBody = async (body: Body): Promise<ReadBody | undefined> => {
  if (typeof body === "string") return { text: body, write: (text) => text }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) {
    return { text: decoder.decode(body), write: encode }
  }
  if (!(body instanceof Blob) || body.size > characterMax) return undefined
  return { text: await body.text(), write: (text) => new Blob([text], { type: body.type }) }
}

const isJson = (headers: Headers): boolean => /\bjson\b/i.test(headers.get("content-type") ?? "")

/** The body of a request object is a stream: a copy is read, and the request stays as it is. */
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

/** Reads what `fetch` was given; undefined for what is none of ours. */
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
