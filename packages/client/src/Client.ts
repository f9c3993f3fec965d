/** A client of the HTTP API: every operation of its description, by name and by path. */
import createPathClient, { type Client, defaultPathSerializer } from "openapi-fetch"
import { checkHeaders } from "./Calls.ts"
import { judgeClientOptions } from "./FetchOptions.ts"
import type { paths } from "./generated/Description.ts"
import type { Operations } from "./generated/Operations.ts"
import { makeOperations } from "./Operations.ts"
import { type Clock, defaultLimits, platformClock, type RetryLimits } from "./Retry.ts"
import { makeSpeech, type Speech } from "./Speech.ts"
import { makeTranscriptions, type Transcriptions } from "./Transcriptions.ts"
import { type Fetch, makeRequests, makeSender } from "./Transport.ts"
import { writeBody } from "./Upload.ts"
import { unsent } from "./VerbatimError.ts"

/** A key, or what gives one for each call: for short-lived ones. */
export type Key = string | (() => string | Promise<string>)

/** What a client is made from. */
export interface ClientOptions {
  /** Where the server is, or where a host has mounted it, without `/v1`. */
  readonly baseUrl: string | URL
  /** Left out where the host knows its callers otherwise, by a session for example. */
  readonly key?: Key | undefined
  /** In place of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Ends every call and every waiting of this client. */
  readonly signal?: AbortSignal | undefined
  /** How calls are repeated that may be; `false` for never. */
  readonly retry?: false | Partial<RetryLimits> | undefined
}

/** Every operation by name, and by path as in `client.GET("/presets/{slug}", …)`. */
export interface VerbatimClient
  extends Client<paths>,
    Omit<Operations, "speech" | "transcriptions"> {
  readonly transcriptions: Operations["transcriptions"] & Transcriptions
  readonly speech: Operations["speech"] & Speech
}

/** The paths that do not stand below `/v1`. */
const rootPaths = ["/", "/health", "/health/ready"] as const satisfies ReadonlyArray<keyof paths>

const askFor = async (give: Exclude<Key, string>): Promise<string> => {
  try {
    return await give()
  } catch (cause) {
    throw unsent("There is no key to send", cause)
  }
}

/** Asks for the key. A platform's own error would show one that no header takes. */
const readKey = async (given: Key): Promise<string> => {
  const key = typeof given === "string" ? given : await askFor(given)
  if (/^[!-~]+$/.test(key)) return key
  throw unsent("The key is empty, or has a character that no header takes")
}

/** What a page's own paths are read against. */
const anywhere = "https://verbatim.example"

/** The address without its last slash. A platform's own error would show name and password. */
const readBase = (baseUrl: string | URL): string => {
  const text = String(baseUrl)
  if (!URL.canParse(text, anywhere)) throw unsent("`baseUrl` is no URL")
  const { hash, password, search, username } = new URL(text, anywhere)
  if (username !== "" || password !== "") throw unsent("`baseUrl` holds credentials")
  if (hash !== "" || search !== "") throw unsent("`baseUrl` has a query or a fragment")
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

/** Fills the parameters of a path. An empty one, or dots, would lead to another operation. */
const writePath = (path: string, parameters: Record<string, unknown>): string => {
  for (const [name, value] of Object.entries(parameters)) {
    if (!isName(value)) throw unsent(`\`${name}\` names nothing`)
  }
  return defaultPathSerializer(path, parameters)
}

/** Makes a client with a clock of the caller's. */
export const makeClient = (options: ClientOptions, clock: Clock): VerbatimClient => {
  judgeClientOptions(options)
  const { headers, key, retry, signal } = options
  const fetch = options.fetch ?? ((request) => globalThis.fetch(request))
  const base = readBase(options.baseUrl)
  const limits = retry === false ? undefined : { ...defaultLimits, ...retry }
  const isRepeating = limits !== undefined

  const { PlacedRequest, remakerOf, sendOnce } = makeRequests({
    place: (url) =>
      rootPaths.some((path) => url === `${base}/v1${path}`)
        ? base + url.slice(base.length + "/v1".length)
        : url,
    signal
  })
  const client = createPathClient<paths>({
    baseUrl: `${base}/v1`,
    headers: checkHeaders(headers),
    fetch: makeSender({ fetch, clock, limits, remakerOf }),
    Request: PlacedRequest,
    pathSerializer: writePath,
    bodySerializer: writeBody
  })
  client.use({
    onRequest: async ({ request, schemaPath }) => {
      // Health is what it is at this moment: a repeat would hide it.
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

/** Makes a client. An option that is unknown, wrong or missing is a `TypeError`. */
export const createClient = (options: ClientOptions): VerbatimClient =>
  makeClient(options, platformClock)
