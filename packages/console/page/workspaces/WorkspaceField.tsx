/** Reads and finds workspaces, and a filter for one by its name, external id or id. */
import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { operatorApi } from "../Api.ts"
import { query, setQuery } from "../Router.ts"
import { TextField } from "../ui/Forms.tsx"
import { useLoaded } from "../ui/Loaded.tsx"
import { readPages, toPage } from "../ui/Pages.ts"
import { useRested } from "../ui/Theme.ts"

export type Account = components["schemas"]["Account"]

export const scope = {
  name: "of",
  values: { "This workspace": "own", "All workspaces": "all" },
  usual: "own"
} as const

const pageMax = 100
const pagesMax = 20
/** Reads the first two thousand workspaces. */
export const readWorkspaces = (signal: AbortSignal) =>
  readPages(
    async (cursor: string | undefined) => {
      return toPage(await operatorApi.workspaces.list({ limit: pageMax, cursor, signal }))
    },
    (_, count) => count >= pagesMax
  )

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isWholeId = (text: string): boolean => wholeId.test(text)
export const findWorkspaces = (accounts: ReadonlyArray<Account>, text: string) => {
  const wanted = text.trim().toLowerCase()
  return accounts.filter(({ external_id, id, name }) =>
    [name, external_id, id].some((each) => each?.toLowerCase().includes(wanted))
  )
}

const select = (accounts: ReadonlyArray<Account>, text: string) => {
  const found = findWorkspaces(accounts, text)
  const exact = found.filter((account) => [account.name, account.external_id].includes(text))
  const [first, ...others] = exact.length > 0 ? exact : found
  if (text === "" || isWholeId(text)) return { id: text, fault: "" }
  if (first === undefined) return { fault: "No workspace has this name or id." }
  return others.length === 0
    ? { id: first.id, fault: "" }
    : { fault: "Several workspaces match. Enter the whole id." }
}

const listId = "workspace-names"

export const WorkspaceField = ({ isVisible }: { readonly isVisible: boolean }) => {
  const id = query.value.get("workspace") ?? ""
  const source = useLoaded(`${isVisible}`, async (signal) =>
    isVisible ? readWorkspaces(signal) : undefined
  )
  const accounts = source.state.value.value?.items ?? []
  /** The text while the user types, which the workspace's name must not replace. */
  const typed = useSignal<string | undefined>(undefined)
  useRested([typed.value, accounts.length], () => {
    const { id } = select(accounts, typed.value ?? "")
    if (typed.value !== undefined && id !== undefined) setQuery("workspace", id)
  })
  return (
    <>
      <TextField
        label="Workspace"
        shown={typed.value ?? accounts.find((account) => account.id === id)?.name ?? id}
        list={listId}
        placeholder="Name or id"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          currentTarget.setCustomValidity("")
          typed.value = currentTarget.value.trim()
        }}
        onChange={({ currentTarget }) => {
          const { fault, id } = select(accounts, currentTarget.value.trim())
          currentTarget.setCustomValidity(fault)
          if (id === undefined) return void currentTarget.reportValidity()
          typed.value = undefined
          setQuery("workspace", id)
        }}
      />
      <datalist id={listId}>
        {accounts.map((account) => (
          <option key={account.id} value={account.name}>
            {account.external_id ?? account.id}
          </option>
        ))}
      </datalist>
    </>
  )
}
