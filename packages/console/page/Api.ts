/**
 * Calls the public API with the client; the console's server adds the key. While the server cannot
 * be reached, the page says so and polls it.
 */
import { signal } from "@preact/signals"
import { type ClientOptions, createClient, VerbatimError } from "@verbatim/client"
import {
  expireSession,
  pageHeader,
  pageHeaderFor,
  type Session,
  session,
  sessionKeys,
  unavailable
} from "./session/Session.ts"
import { noteServerTime, sleep } from "./ui/Clock.ts"

/** Whether the last request got no response from the server. */
export const isAway = signal(false)

const pollMillis = 2_000

/** The server counts as unreachable after this time, even if the connection is open. */
const answerMillis = 5_000

/** Returns the URL for an API path that the browser itself loads, such as a download. */
export const apiAddress = (path: string): string => new URL(`api${path}`, document.baseURI).href

const pollUntilBack = async (): Promise<void> => {
  if (isAway.peek()) return
  isAway.value = true
  while (isAway.peek()) {
    await sleep(pollMillis)
    const sender = session.peek()
    const signal = AbortSignal.timeout(answerMillis)
    const response = await fetch(apiAddress("/health"), { signal }).catch(() => undefined)
    if (response === undefined || unavailable.includes(response.status)) continue
    isAway.value = false
    if (response.status === 401) expireSession(sender)
  }
}

const noteAnswer = (response: Response, sender: Session | undefined): Response => {
  noteServerTime(response.headers.get("date"))
  if (response.status === 401 && response.headers.has(pageHeader)) expireSession(sender)
  return response
}

const send = async (request: Request): Promise<Response> => {
  const sender = session.peek()
  // Pending deletes are sent when the page is closed, so the requests must outlive the page.
  const keepalive = request.method === "DELETE" || /\/actions(?:\?|$)/.test(request.url)
  // A retry has the header of the previous attempt, which may name an earlier session.
  const [key = "workspace"] = request.headers.get(pageHeader)?.split(" ") ?? []
  request.headers.set(pageHeader, pageHeaderFor(key))
  try {
    return noteAnswer(await fetch(request, { keepalive }), sender)
  } catch (cause) {
    if (!request.signal.aborted) void pollUntilBack()
    throw cause
  }
}

/** Calls are not retried by default: the page reports an unreachable server and polls it. */
const makeClient = (
  key: "operator" | "workspace",
  { retry = false }: Pick<ClientOptions, "retry"> = {}
) =>
  createClient({
    baseURL: new URL("api", document.baseURI),
    headers: { [pageHeader]: key },
    fetch: send,
    retry
  })

export const api = makeClient("workspace")
export const operatorApi = makeClient("operator")

/** Bulk actions wait for at most ten minutes while the server is busy. */
const bulk = { retry: { maxAttempts: 100, totalMillis: 600_000 } }

export const bulkApi = makeClient("workspace", bulk)
export const bulkOperatorApi = makeClient("operator", bulk)
const endings = { operator: new AbortController(), workspace: new AbortController() }

for (const key of ["operator", "workspace"] as const) {
  sessionKeys[key].subscribe(() => {
    endings[key].abort(new Error("The session has ended."))
    endings[key] = new AbortController()
  })
}

/** Options for a call that is cancelled when the session ends or the call's key changes. */
export const withinSession = (key: "operator" | "workspace") => ({ signal: endings[key].signal })

export const fetchApi = (path: string, init: RequestInit = {}): Promise<Response> =>
  send(new Request(apiAddress(path), init))

export const sentenceOf = (fault: unknown): string =>
  fault instanceof Error ? fault.message : "Something went wrong."

export const isGone = (fault: unknown) => fault instanceof VerbatimError && fault.status === 404

export const isConflict = (fault: unknown): boolean =>
  fault instanceof VerbatimError && [409, 412].includes(fault.status)
