/** Handles the usage operations, with one service call each. */
import type { LedgerLine } from "@verbatim/core/job"
import { type RowPage, readPage, Usage, WorkspaceNotFound } from "@verbatim/core/services"
import type { UsageRow, UsageTime, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { Sender } from "../contract/Authentication.ts"
import { ownLedgerMissing } from "../contract/Errors.ts"
import { refuse } from "../contract/preset/PresetParameters.ts"
import {
  type LedgerPage,
  type LedgerQuery,
  readLedgerPage,
  readUsageRequest,
  toCursor,
  toLedgerView,
  toUsageView,
  type UsagePage,
  type UsageQuery
} from "../contract/UsageApi.ts"
import { answerRefusals } from "./Refusals.ts"
import { readWorkspaceId } from "./workspace/WorkspaceReads.ts"

interface Showing<Row, View> {
  readonly toView: (row: Row) => View
  readonly toCursor: (row: Row) => string
}

const show = <Row, View>({ last, rows }: RowPage<Row>, how: Showing<Row, View>) => ({
  data: rows.map(how.toView),
  next_cursor: last === undefined ? null : how.toCursor(last)
})

const toUsagePage = (page: RowPage<UsageRow>, { from, to }: UsageTime): typeof UsagePage.Type => ({
  from: DateTime.formatIso(from),
  to: DateTime.formatIso(to),
  ...show(page, { toView: toUsageView, toCursor })
})

const toLedgerPage = (page: RowPage<LedgerLine>): typeof LedgerPage.Type =>
  show(page, { toView: toLedgerView, toCursor: ({ ordinal }) => String(ordinal) })

/**
 * Restricts a query to the workspaces that the sender can see. A workspace key can see only its own
 * workspace.
 */
const narrow = (requested: WorkspaceId | null) =>
  Effect.flatMap(Sender, ({ workspaceId }) => {
    if (workspaceId === null || requested === workspaceId) return Effect.succeed(requested)
    return requested === null
      ? Effect.succeed(workspaceId)
      : Effect.fail(new WorkspaceNotFound({ id: requested }))
  })

export const layer = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const usage = yield* Usage

    const read = Effect.fnUntraced(function* (query: UsageQuery) {
      const request = yield* readUsageRequest(query)
      const workspaceId = yield* narrow(request.workspaceId)
      const page = yield* readPage(request.limit, (limit) =>
        usage.read({ ...request, workspaceId, limit })
      )
      return toUsagePage(page, request)
    }, answerRefusals)

    /** Reads the ledger of the given workspace, or of the caller's own if none is given. */
    const ledger = Effect.fnUntraced(function* (query: LedgerQuery, id?: string) {
      const { before, limit } = yield* readLedgerPage(query)
      const workspaceId = yield* narrow(id === undefined ? null : yield* readWorkspaceId(id))
      if (workspaceId === null) return yield* refuse(404, ownLedgerMissing)
      const page = yield* readPage(limit, (lineMax) =>
        usage.ledger({ workspaceId, before, limit: lineMax })
      )
      return toLedgerPage(page)
    }, answerRefusals)

    return handlers
      .handle("read", ({ query }) => read(query))
      .handle("ledger", ({ params, query }) => ledger(query, params.id))
      .handle("ownLedger", ({ query }) => ledger(query))
  })
)
