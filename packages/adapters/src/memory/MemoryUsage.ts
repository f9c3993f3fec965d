/** Sums ledger entries for usage reports, in memory. */
import type { UsageQuery } from "@verbatim/core/ports"
import { noPieceWork } from "@verbatim/core/transcription"
import { type ApiKeyId, dayOf, type UsageRow, type UsageSubject } from "@verbatim/core/workspace"
import { DateTime, Order } from "effect"
import type { LedgerRow, Tables } from "./MemoryDatabase.ts"

const keyOf = ({ reason }: LedgerRow): ApiKeyId | null =>
  reason._tag === "Charge" ? reason.keyId : null

const isCounted = (
  row: LedgerRow,
  query: Pick<UsageQuery, "from" | "keyId" | "to" | "workspaceId">
): boolean =>
  DateTime.isGreaterThanOrEqualTo(row.at, query.from) &&
  DateTime.isLessThan(row.at, query.to) &&
  (query.workspaceId === null || row.workspaceId === query.workspaceId) &&
  (query.keyId === null || keyOf(row) === query.keyId)

const subjectOf = (row: LedgerRow, by: UsageQuery["by"]): UsageSubject => ({
  day: by === "day" ? dayOf(row.at) : null,
  workspaceId: by === "day" ? null : row.workspaceId,
  keyId: by === "key" ? keyOf(row) : null
})

const inOrder: Order.Order<UsageSubject> = Order.combineAll([
  Order.mapInput(Order.Number, ({ day }: UsageSubject) => day ?? 0),
  Order.mapInput(Order.String, ({ workspaceId }: UsageSubject) => workspaceId ?? ""),
  Order.mapInput(Order.String, ({ keyId }: UsageSubject) => keyId ?? "")
])

/** Returns one page of usage totals. */
export const sum = (ledger: Tables["ledger"], query: UsageQuery): ReadonlyArray<UsageRow> => {
  const rows = new Map<string, UsageRow>()
  for (const line of ledger.values()) {
    if (!isCounted(line, query)) continue
    const subject = subjectOf(line, query.by)
    const name = `${subject.day}/${subject.workspaceId}/${subject.keyId}`
    const none = { ...subject, chargedMillis: 0, jobs: 0, creditedMillis: 0, ...noPieceWork }
    const row = rows.get(name) ?? none
    const work = line.work ?? noPieceWork
    const isCharge = line.reason._tag === "Charge"
    rows.set(name, {
      ...row,
      chargedMillis: row.chargedMillis - (isCharge ? line.millis : 0),
      jobs: row.jobs + (isCharge ? 1 : 0),
      creditedMillis: row.creditedMillis + (isCharge ? 0 : line.millis),
      recognised: row.recognised + work.recognised,
      reused: row.reused + work.reused,
      engineMillis: row.engineMillis + work.engineMillis
    })
  }
  const { after } = query
  return [...rows.values()]
    .filter((row) => after === null || inOrder(row, after) > 0)
    .sort(inOrder)
    .slice(0, query.limit)
}
