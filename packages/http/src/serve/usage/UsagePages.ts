/** Shows what was read of usage and of ledgers as the pages of their answers. */
import type { LedgerLine } from "@verbatim/core/job"
import type { RowPage } from "@verbatim/core/services"
import type { UsageRow, UsageTime } from "@verbatim/core/workspace"
import { DateTime } from "effect"
import { type LedgerPage, toLedgerView } from "../../contract/usage/LedgerAnswers.ts"
import { toUsageView, type UsagePage } from "../../contract/usage/UsageAnswers.ts"
import { toCursor } from "../../contract/usage/UsageCursor.ts"

interface Showing<Row, View> {
  readonly toView: (row: Row) => View
  readonly toCursor: (row: Row) => string
}

const show = <Row, View>({ last, rows }: RowPage<Row>, how: Showing<Row, View>) => ({
  data: rows.map(how.toView),
  next_cursor: last === undefined ? null : how.toCursor(last)
})

/** Shows a page of sums. */
export const toUsagePage = (
  page: RowPage<UsageRow>,
  { from, to }: UsageTime
): typeof UsagePage.Type => ({
  from: DateTime.formatIso(from),
  to: DateTime.formatIso(to),
  ...show(page, { toView: toUsageView, toCursor })
})

/** Shows a page of a ledger. */
export const toLedgerPage = (page: RowPage<LedgerLine>): typeof LedgerPage.Type =>
  show(page, { toView: toLedgerView, toCursor: ({ place }) => String(place) })
