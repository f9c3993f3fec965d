/** Reads all workspaces, and finds workspaces by name or id. */
import type { components } from "@verbatim/client"
import { operatorApi } from "../Api.ts"
import { readPages } from "../ui/Pages.ts"

/** A workspace with its balance. */
export type Account = components["schemas"]["Account"]

/** The largest page size that the API accepts. */
const pageMax = 100

/** Maximum number of pages that are loaded. */
const pagesMax = 20

/** Reads the first two thousand workspaces. */
export const readWorkspaces = (signal: AbortSignal) =>
  readPages(
    async (cursor: string | undefined) => {
      const page = await operatorApi.workspaces.list({ limit: pageMax, cursor, signal })
      return { items: page.data, next: page.next_cursor }
    },
    (_, count) => count >= pagesMax
  )

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the text is a complete id. */
export const isWholeId = (text: string): boolean => wholeId.test(text)

/** Returns the workspaces whose name, external id or id contains the text. */
export const findWorkspaces = (
  accounts: ReadonlyArray<Account>,
  text: string
): ReadonlyArray<Account> => {
  const wanted = text.trim().toLowerCase()
  return accounts.filter(({ external_id, id, name }) =>
    [name, external_id, id].some((each) => each?.toLowerCase().includes(wanted))
  )
}
