/**
 * The HTTP client, which has every operation of the OpenAPI document as a method, by name and by
 * path.
 */
import createPathClient, { type Client, defaultPathSerializer } from "openapi-fetch"
import { checkHeaders } from "./Calls.ts"
import { validateClientOptions } from "./FetchOptions.ts"
import type { paths } from "./generated/Description.ts"
import type { Operations } from "./generated/Operations.ts"
import { makeOperations } from "./Operations.ts"
import { type Clock, defaultLimits, platformClock, type RetryLimits } from "./Retry.ts"
import {
  makeSpeech,
  makeTranscriptions,
  type Speech,
  type Transcriptions
} from "./Transcriptions.ts"
import { type Fetch, makeRequests, makeSender } from "./Transport.ts"
import { writeBody } from "./Upload.ts"
import { unsent } from "./VerbatimError.ts"

/** A key, or a function that returns a key for each call. Use a function for short-lived keys. */
export type Key = string | (() => string | Promise<string>)

/** Options of `createClient`. */
export interface ClientOptions {
  /** The server's address, or the path where a host has mounted it, without `/v1`. */
  readonly baseURL: string | URL
  /**
   * The key can be omitted if the host identifies callers in another way, for example by a session
   * cookie.
   */
  readonly key?: Key | undefined
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Aborts every call of this client, including waits and streams. */
  readonly signal?: AbortSignal | undefined
  /** Limits on retries of calls that are safe to repeat; `false` turns retries off. */
  readonly retry?: false | Partial<RetryLimits> | undefined
}

/** Every operation, by name and by path: `client.GET("/presets/{slug}", …)`. */
export interface VerbatimClient
  extends Client<paths>,
    Omit<Operations, "speech" | "transcriptions"> {
  readonly transcriptions: Operations["transcriptions"] & Transcriptions
  readonly speech: Operations["speech"] & Speech
}

/** Paths outside `/v1`. */
const rootPaths = ["/", "/health", "/health/ready"] as const satisfies ReadonlyArray<keyof paths>

const callForKey = async (give: Exclude<Key, string>): Promise<string> => {
  try {
    return await give()
  } catch (cause) {
    throw unsent("There is no key to send", cause)
  }
}

/** Reads and checks the key, because the platform's own error would contain an invalid key. */
const readKey = async (given: Key): Promise<string> => {
  const key = typeof given === "string" ? given : await callForKey(given)
  if (/^[!-~]+$/.test(key)) return key
  throw unsent("The key is empty, or has a character that no header takes")
}

/** The base URL for parsing relative paths. */
const anyBase = "https://verbatim.example"

/**
 * Returns the base URL without its trailing slash. The URL is checked before it is parsed, because
 * the platform's own error for an invalid URL would reveal the credentials in it.
 */
const readBase = (baseURL: string | URL): string => {
  const text = String(baseURL)
  if (!URL.canParse(text, anyBase)) throw unsent("`baseURL` is not a URL")
  const { hash, password, search, username } = new URL(text, anyBase)
  if (username !== "" || password !== "") throw unsent("`baseURL` holds credentials")
  if (hash !== "" || search !== "") throw unsent("`baseURL` has a query or a fragment")
  return text.replace(/\/+$/, "")
}

const isName = (value: unknown): boolean => {
  if (typeof value === "number") return true
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) return false
  try {
    return encodeURIComponent(value) !== ""
  } catch {
    return false
  }
}

/**
 * Inserts path parameters. Empty parameters and dots are refused, because they could turn the path
 * into another operation's.
 */
const writePath = (path: string, parameters: Record<string, unknown>): string => {
  for (const [name, value] of Object.entries(parameters)) {
    if (!isName(value)) throw unsent(`\`${name}\` is empty or not a valid name`)
  }
  return defaultPathSerializer(path, parameters)
}

/** Creates a client that uses the given clock. */
export const makeClient = (options: ClientOptions, clock: Clock): VerbatimClient => {
  validateClientOptions(options)
  const { headers, key, retry, signal } = options
  const fetch = options.fetch ?? ((request) => globalThis.fetch(request))
  const base = readBase(options.baseURL)
  const limits = retry === false ? undefined : { ...defaultLimits, ...retry }
  const isRepeating = limits !== undefined

  const { ClientRequest, remakerOf, sendOnce } = makeRequests({
    toUrl: (url) =>
      rootPaths.some((path) => url === `${base}/v1${path}`)
        ? base + url.slice(base.length + "/v1".length)
        : url,
    signal
  })
  const client = createPathClient<paths>({
    baseUrl: `${base}/v1`,
    headers: checkHeaders(headers),
    fetch: makeSender({ fetch, clock, limits, remakerOf }),
    Request: ClientRequest,
    pathSerializer: writePath,
    bodySerializer: writeBody
  })
  client.use({
    onRequest: async ({ request, schemaPath }) => {
      // Health checks are not retried, because a retry would hide a failure.
      if (rootPaths.some((path) => path === schemaPath)) return sendOnce(request)
      if (key === undefined) return
      request.headers.set("authorization", `Bearer ${await readKey(key)}`)
    }
  })
  const operations = makeOperations(client, isRepeating)
  const { get } = operations.transcriptions
  const parts = { client, clock, isRepeating }
  return Object.assign(client, operations, {
    transcriptions: { ...operations.transcriptions, ...makeTranscriptions({ ...parts, get }) },
    speech: { ...operations.speech, ...makeSpeech(parts) }
  })
}

/**
 * Creates a client. Throws a `TypeError` for an unknown, invalid or missing option.
 *
 * @example
 * ```ts
 * const verbatim = createClient({ baseURL: "http://127.0.0.1:8787", key: process.env.KEY ?? "" })
 * const { id } = await verbatim.transcriptions.create({ url: "https://example.com/talk.mp3" })
 * await verbatim.transcriptions.wait(id)
 * ```
 */
export const createClient = (options: ClientOptions): VerbatimClient =>
  makeClient(options, platformClock)
