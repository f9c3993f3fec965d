/**
 * Requests to a server of Verbatim by `fetch`, tried again when that can help. An answer is its
 * JSON with its headers, or an error that the AI SDK understands.
 */
import { makeCallError } from "./CallError.ts"

/** Where the server is, and who asks. */
export interface ServerOptions {
  /** Without a path: `https://verbatim.example.com`. */
  readonly baseUrl: string
  /** A key that may transcribe. */
  readonly apiKey: string
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the platform's own. */
  readonly fetch?: typeof globalThis.fetch
}

/** One request. The body is sent anew on every try. */
interface ServerRequest {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly body?: FormData | URLSearchParams
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer that was not refused. */
export interface ServerAnswer {
  readonly json: unknown
  readonly text: string
  readonly headers: Record<string, string>
}

/** Asks the server. */
export type Ask = (request: ServerRequest) => Promise<ServerAnswer>

/** A server that is started anew answers within a minute: 0.5, 1, 2, 4, 8, 16 and 30 s. */
const retryMax = 7
const delayMillisMin = 500
const delayMillisMax = 30_000

/** Too many requests, or a server behind a proxy that is away for a moment. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/** Waits, unless somebody stops waiting: then it throws their reason. */
export const wait = (millis: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, millis)
    signal?.addEventListener("abort", stop, { once: true })
  })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sentenceOf = (json: unknown, status: number): string => {
  const detail = typeof json === "object" && json !== null && "detail" in json ? json.detail : ""
  return typeof detail === "string" && detail !== "" ? detail : `The server answered ${status}.`
}

const delayOf = (tried: number, retryAfter: string | null): number => {
  const asked = Number(retryAfter ?? Number.NaN) * 1_000
  const delay = asked > 0 ? asked : delayMillisMin * 2 ** tried
  return Math.min(delay, delayMillisMax)
}

/** A server that can be asked. */
export const connect = (options: ServerOptions): Ask => {
  const origin = options.baseUrl.replace(/\/+$/, "")
  return async ({ body, headers, method, path, signal }) => {
    const url = `${origin}${path}`
    const given = Object.entries({ ...options.headers, ...headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined
    )
    const init: RequestInit = {
      method,
      headers: { ...Object.fromEntries(given), authorization: `Bearer ${options.apiKey}` },
      // The key goes to this address and no other one.
      redirect: "error",
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal })
    }
    for (let tried = 0; ; tried++) {
      let retryAfter: string | null = null
      try {
        const response = await (options.fetch ?? globalThis.fetch)(url, init)
        const text = await response.text()
        const json = parse(text)
        const answer = { json, text, headers: Object.fromEntries(response.headers) }
        if (response.ok) return answer
        if (!passingStatuses.has(response.status) || tried === retryMax) {
          throw makeCallError(sentenceOf(json, response.status), {
            url,
            statusCode: response.status,
            responseHeaders: answer.headers,
            responseBody: text
          })
        }
        retryAfter = response.headers.get("retry-after")
      } catch (cause) {
        signal?.throwIfAborted()
        if (!(cause instanceof TypeError)) throw cause
        if (tried === retryMax) throw makeCallError("Verbatim cannot be reached", { url, cause })
      }
      await wait(delayOf(tried, retryAfter), signal)
    }
  }
}
