/**
 * Answers the operations on usage: one service call each, and what their refusals are on the wire.
 */
import { readPage, Usage, WorkspaceNotFound } from "@verbatim/core/services"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Sender, type UsageAuthentication } from "../../contract/Authentication.ts"
import { refuse, refuseAs } from "../../contract/preset/PresetRefusal.ts"
import { readLedgerPage } from "../../contract/usage/LedgerParameters.ts"
import { ownLedgerMissing } from "../../contract/usage/UsageErrors.ts"
import { readWanted } from "../../contract/usage/UsageParameters.ts"
import { readWorkspaceId } from "../workspace/WorkspaceReads.ts"
import { toLedgerPage, toUsagePage } from "./UsagePages.ts"

/** Which workspace a sender may see of the one it asks for: the bearer of a key its own. */
const narrow = (wanted: WorkspaceId | null) =>
  Effect.flatMap(Sender, ({ workspaceId }) => {
    if (workspaceId === null || wanted === workspaceId) return Effect.succeed(wanted)
    return wanted === null
      ? Effect.succeed(workspaceId)
      : Effect.fail(new WorkspaceNotFound({ id: wanted }))
  })

const refusals = {
  InvalidRequest: refuseAs(400),
  WorkspaceNotFound: () => refuse(404, "Workspace not found"),
  WorkspaceStoreError: Effect.die
} as const

/** The operations over the service `Usage`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "usage">,
  never,
  Usage | UsageAuthentication
> = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const usage = yield* Usage

    const read = Effect.fnUntraced(function* (query: unknown) {
      const wanted = yield* readWanted(query)
      const workspaceId = yield* narrow(wanted.workspaceId)
      const page = yield* readPage(wanted.limit, (limit) =>
        usage.read({ ...wanted, workspaceId, limit })
      )
      return toUsagePage(page, wanted)
    }, Effect.catchTags(refusals))

    /** The ledger of the workspace that is named, or of one's own. */
    const ledger = Effect.fnUntraced(function* (query: unknown, id?: string) {
      const { before, limit } = yield* readLedgerPage(query)
      const workspaceId = yield* narrow(id === undefined ? null : yield* readWorkspaceId(id))
      if (workspaceId === null) return yield* refuse(404, ownLedgerMissing)
      const page = yield* readPage(limit, (lineMax) =>
        usage.ledger({ workspaceId, before, limit: lineMax })
      )
      return toLedgerPage(page)
    }, Effect.catchTags(refusals))

    return handlers
      .handle("read", ({ query }) => read(query))
      .handle("ledger", ({ params, query }) => ledger(query, params.id))
      .handle("ownLedger", ({ query }) => ledger(query))
  })
)
