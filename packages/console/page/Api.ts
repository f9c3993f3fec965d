/**
 * The public API, through the client that everybody has. The console's server adds the key; when it
 * cannot be reached, the page says so and asks until it can.
 */
import { signal } from "@preact/signals"
import { createClient, VerbatimError } from "@verbatim/client"
import { forget, pageHeader, type Session, session } from "./session/Session.ts"
import { noteServerTime } from "./ui/Clock.ts"

/** Whether the server did not answer the last time. */
export const isAway = signal(false)

/** How often the server is asked whether it is back. */
const returnMillis = 2_000

/** A server that says nothing for so long is away, whoever holds the connection. */
const answerMillis = 5_000

let isAsking = false

const place = (path: string): string => new URL(`api${path}`, document.baseURI).href

const askUntilBack = (): void => {
  if (isAsking) return
  isAsking = true
  const ask = async (): Promise<void> => {
    const asked = session.peek()
    const signal = AbortSignal.timeout(answerMillis)
    const answered = await fetch(place("/health"), { signal }).catch(() => undefined)
    // A proxy answers for a server that is away, and a server before it is ready.
    if (answered === undefined || [502, 503, 504].includes(answered.status)) {
      setTimeout(() => void ask(), returnMillis)
      return
    }
    isAsking = false
    isAway.value = false
    if (answered.status === 401) forget(asked)
  }
  setTimeout(() => void ask(), returnMillis)
}

/** Notes what an answer says of the server, and of the session in which it was asked. */
const noteAnswer = (response: Response, asked: Session | undefined): Response => {
  noteServerTime(response.headers.get("date"))
  if (response.status === 401 && response.headers.has(pageHeader)) forget(asked)
  return response
}

const send = async (request: Request): Promise<Response> => {
  const asked = session.peek()
  // What is deleted when the page is left must be sent even though the page is gone.
  const keepalive = request.method === "DELETE"
  try {
    return noteAnswer(await fetch(request, { keepalive }), asked)
  } catch (cause) {
    if (!request.signal.aborted) {
      isAway.value = true
      askUntilBack()
    }
    throw cause
  }
}

/** Makes a client with a key of the session; each answer is handed on as it is, or as wanted. */
export const makeClient = (
  key: "operator" | "workspace",
  toAnswer: (response: Response) => Response = (response) => response
) =>
  createClient({
    baseURL: new URL("api", document.baseURI),
    headers: { [pageHeader]: key },
    fetch: async (request: Request) => toAnswer(await send(request)),
    // The page says at once that the server is away, and asks again by itself.
    retry: false
  })

/** Calls with the key of a workspace. */
export const api = makeClient("workspace")

/** Calls with the key of an operator. */
export const operatorApi = makeClient("operator")

/** The address of something that the browser itself reads: a download, or the recording. */
export const apiAddress = (path: string): string => place(path)

/** Asks for something that the client has no call for. */
export const fetchApi = (path: string, init: RequestInit = {}): Promise<Response> =>
  send(new Request(place(path), init))

/** The sentence to show for what went wrong with a call. */
export const sentenceOf = (fault: unknown): string => {
  if (fault instanceof VerbatimError) return fault.message
  return fault instanceof Error ? fault.message : "Something went wrong."
}

/** Whether a call failed because the thing does not exist any more. */
export const isGone = (fault: unknown): boolean =>
  fault instanceof VerbatimError && fault.status === 404
