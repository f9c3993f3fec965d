/** Who uses the page: nobody yet, or the holder of keys that the server keeps for us. */
import { computed, signal } from "@preact/signals"

/** A key of a workspace, and what it may do. */
interface WorkspaceKey {
  readonly kind: "inference" | "management"
  readonly workspace_id: string
  readonly user_id: string
  readonly key_id: string | null
  readonly scopes: ReadonlyArray<string>
  readonly manages_keys: boolean
}

/** As the server tells it. */
export interface Session {
  readonly by: "host" | "key"
  readonly access: "read" | "write"
  readonly workspace: WorkspaceKey | null
  readonly operator: { readonly id: string; readonly name: string | null } | null
}

/** What is known of it. */
export type Standing =
  | { readonly is: "asking" }
  | { readonly is: "out"; readonly why?: string }
  /** The host knows its users and lets this one do nothing: no key would help. */
  | { readonly is: "refused"; readonly why: string }
  | { readonly is: "in"; readonly session: Session }

/** What every request of ours carries, so that no other page can send it. */
export const pageHeader = "x-verbatim-console"

/** What stands now. */
export const standing = signal<Standing>({ is: "asking" })

/** The session; nothing before somebody has logged in. */
export const session = computed(() =>
  standing.value.is === "in" ? standing.value.session : undefined
)

/** Who holds the keys of the session, to tell one from another. */
export const holder = computed(() => {
  const now = session.value
  const { key_id, user_id, workspace_id } = now?.workspace ?? {}
  return [workspace_id, key_id ?? user_id ?? now?.operator?.id].join(" ")
})

const address = (): string => new URL("session", document.baseURI).href

const ask = async (init: RequestInit = {}): Promise<Response> =>
  fetch(address(), {
    ...init,
    headers: { [pageHeader]: "session", "content-type": "application/json" }
  })

const sentenceOf = async (response: Response): Promise<string> => {
  const body: unknown = await response.json().catch(() => undefined)
  const detail: unknown = Object(body).detail
  return typeof detail === "string" ? detail : `The server answered with ${response.status}.`
}

/** Whether it is the host that refuses. */
const isByHost = ({ headers }: Response): boolean => headers.get(pageHeader) === "host"

/** What a proxy says of a server that is not there, or not yet. */
const absent: ReadonlyArray<number> = [502, 503, 504]

/** Asks who is logged in. Where the server cannot be reached, all stays as it is. */
export const lookUp = async (): Promise<void> => {
  const response = await ask()
  if (absent.includes(response.status)) throw new Error("The server does not answer.")
  if (response.ok) standing.value = { is: "in", session: await response.json() }
  else if (isByHost(response)) {
    standing.value = { is: "refused", why: await sentenceOf(response) }
  } else standing.value = { is: "out" }
}

/** Logs in with a key, or adds one to the session; gives the sentence of a refusal. */
export const logIn = async (key: string, adds = false): Promise<string | undefined> => {
  const response = await ask({ method: "POST", body: JSON.stringify({ key, adds }) }).catch(
    () => undefined
  )
  if (response === undefined) return "The server cannot be reached. Try again in a moment."
  if (!response.ok) return sentenceOf(response)
  standing.value = { is: "in", session: await response.json() }
  return undefined
}

/** Ends the session. */
export const logOut = async (): Promise<void> => {
  await ask({ method: "DELETE" }).catch(() => undefined)
  standing.value = { is: "out" }
}

/**
 * The server knows the session no longer: it has been restarted, or the day is over. What is said
 * of one in which something was asked before says nothing of the one that there is now.
 */
export const forget = (asked: Session | undefined): void => {
  if (asked === undefined || session.peek() !== asked) return
  if (asked.by === "host") {
    // The host judges each request: ask it whether this user may do anything at all.
    lookUp().catch(() => undefined)
    return
  }
  standing.value = {
    is: "out",
    why:
      "Your session is over: you logged out in another window, the server was restarted, or you " +
      "were away for long. What you were writing is still here when you log in with the same key."
  }
}

/** Whether the session may do that; a host that knows its users has its own say. */
export const may = (scope: string): boolean => {
  const now = session.value
  if (now === undefined) return false
  if (now.by === "host") return now.access === "write" || scope.endsWith(":read")
  return now.workspace?.scopes.includes(scope) ?? false
}

/** Whether an operator's key is there. */
export const isOperator = computed(() => {
  const now = session.value
  return now !== undefined && now.operator !== null
})

/** Whether it may make and revoke keys of its workspace. */
export const managesKeys = computed(() => {
  const now = session.value
  return now !== undefined && (now.by === "host" || now.workspace?.manages_keys === true)
})

/** Whether it may change anything at all. */
export const mayWrite = computed(() => session.value?.access === "write")

/** Whether there is a workspace to look at. */
export const hasWorkspace = computed(() => {
  const now = session.value
  return now !== undefined && (now.by === "host" || now.workspace !== null)
})
