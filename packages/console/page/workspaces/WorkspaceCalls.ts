/** Reads all workspaces, and finds workspaces by name or id. */
import type { components } from "@verbatim/client"
import { operatorApi } from "../Api.ts"
import { readPages, toPage } from "../ui/Pages.ts"

export type Account = components["schemas"]["Account"]
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
