/** Tracks the page's session. The server holds the session's keys. */
import { computed, signal } from "@preact/signals"

interface WorkspaceKey {
  readonly kind: "inference" | "management"
  readonly workspace_id: string
  readonly workspace_name: string
  readonly user_id: string
  readonly key_id: string | null
  readonly scopes: ReadonlyArray<string>
  readonly manages_keys: boolean
}

export interface Session {
  /** Null if the host has its own login. */
  readonly id: string | null
  readonly by: "host" | "key"
  readonly access: "read" | "write"
  readonly workspace: WorkspaceKey | null
  readonly operator: { readonly id: string; readonly name: string | null } | null
}

type SessionState =
  | { readonly is: "loading" }
  | { readonly is: "loggedOut"; readonly why?: string }
  /** The host has its own login and denies this user access, so no key would help. */
  | { readonly is: "refused"; readonly why: string }
  | { readonly is: "loggedIn"; readonly session: Session }

/** The header that all our requests carry and other pages cannot send. */
export const pageHeader = "x-verbatim-console"
export const sessionState = signal<SessionState>({ is: "loading" })
export const session = computed(() =>
  sessionState.value.is === "loggedIn" ? sessionState.value.session : undefined
)

export const owner = computed(() => {
  const now = session.value
  const { key_id, user_id, workspace_id } = now?.workspace ?? {}
  return [workspace_id, key_id ?? user_id ?? now?.operator?.id].join(" ")
})

export const sessionKeys = {
  operator: computed(() => session.value?.operator?.id),
  workspace: owner
}

/** Names the key to use, and its session, because another tab may have changed the key. */
export const pageHeaderFor = (key: string): string => `${key} ${session.peek()?.id ?? ""}`.trim()

const callSession = (init: RequestInit = {}): Promise<Response> =>
  fetch(new URL("session", document.baseURI), {
    ...init,
    headers: { [pageHeader]: "session", "content-type": "application/json" }
  })

const sentenceOf = async (response: Response): Promise<string> => {
  const body: unknown = await response.json().catch(() => undefined)
  const detail: unknown = Object(body).detail
  return typeof detail === "string" ? detail : `The server answered with ${response.status}.`
}

/** The statuses that a proxy returns if the server is down or starting. */
export const unavailable: ReadonlyArray<number> = [502, 503, 504]

const readState = async (response: Response, why?: string): Promise<SessionState> => {
  if (response.ok) return { is: "loggedIn", session: await response.json() }
  // The host, rather than the API, refused the request.
  if (response.headers.get(pageHeader) === "host") {
    return { is: "refused", why: await sentenceOf(response) }
  }
  return { is: "loggedOut", ...(why === undefined ? {} : { why }) }
}

/** Changes nothing if the server cannot be reached, or the user has logged in or out. */
export const loadSession = async (why?: string): Promise<void> => {
  const before = sessionState.peek()
  const response = await callSession()
  if (unavailable.includes(response.status)) throw new Error("The server does not respond.")
  const state = await readState(response, why)
  if (sessionState.peek() === before) sessionState.value = state
}

export const logIn = async (key: string, adds = false): Promise<string | undefined> => {
  const response = await callSession({ method: "POST", body: JSON.stringify({ key, adds }) }).catch(
    () => undefined
  )
  if (response === undefined) return "The server cannot be reached. Try again in a moment."
  if (!response.ok) return sentenceOf(response)
  sessionState.value = { is: "loggedIn", session: await response.json() }
  return undefined
}

export const logOut = async (): Promise<void> => {
  const id = session.peek()?.id
  await callSession({ method: "DELETE" }).catch(() => undefined)
  sessionState.value = { is: "loggedOut" }
  endings.postMessage(id)
}

const ended =
  "Your session has ended: you logged out in another window, the key was revoked or has " +
  "expired, the server was restarted, or you were inactive for too long. Log in with the " +
  "same key to continue what you were writing."

/** The ids of sessions that have ended, which the other tabs would notice only at a request. */
const endings = new BroadcastChannel("verbatim session")
endings.addEventListener("message", ({ data }) => {
  if (session.peek()?.id === data) expireSession(session.peek())
})

/** Loads the session again after a refused request, unless that was sent in an earlier session. */
export const expireSession = (sender: Session | undefined): void => {
  if (sender === undefined || session.peek() !== sender) return
  // A host with its own login decides for each request, so the user may still have access.
  if (sender.by === "key") {
    sessionState.value = { is: "loggedOut", why: ended }
    endings.postMessage(sender.id)
  }
  loadSession(ended).catch(() => undefined)
}

/** Whether the session has a scope. A host with its own login decides by its own rules. */
export const can = (scope: string): boolean => {
  const now = session.value
  if (now === undefined) return false
  if (now.by === "host") return now.access === "write" || scope.endsWith(":read")
  return now.workspace?.scopes.includes(scope) ?? false
}

export const isOperator = computed(() => (session.value?.operator ?? null) !== null)
const isByHost = (): boolean => session.value?.by === "host"
export const canManageKeys = computed(
  () => isByHost() || session.value?.workspace?.manages_keys === true
)

export const canWrite = computed(() => session.value?.access === "write")

export const hasWorkspace = computed(
  () => isByHost() || (session.value?.workspace ?? null) !== null
)

export const canReadJobs = (): boolean => hasWorkspace.value && can("transcriptions:read")

/** Requires a key for the workspace itself; an operator key is not enough. */
export const opensJobs = (workspace: string): boolean =>
  session.value?.workspace?.workspace_id === workspace && can("transcriptions:read")
