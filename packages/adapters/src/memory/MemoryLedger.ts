/** Lines of the ledgers of the process. */
import type { LedgerLine } from "@verbatim/core/job"
import type { LedgerQuery } from "@verbatim/core/ports"
import type { Tables } from "./MemoryDatabase.ts"

/** The lines of a page. */
export const listLines = (
  ledger: Tables["ledger"],
  { before, limit, workspaceId }: LedgerQuery
): ReadonlyArray<LedgerLine> =>
  [...ledger.values()]
    .filter((row) => row.workspaceId === workspaceId && (before === null || row.place < before))
    .reverse()
    .slice(0, limit)
    .map(({ at, millis, place, reason }) => ({ place, at, millis, reason }))
