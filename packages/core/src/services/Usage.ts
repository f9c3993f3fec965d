/**
 * What workspaces used, as their ledgers have it: sums, and line by line.
 */
import { Context, Effect, Layer } from "effect"
import type { LedgerLine } from "../domain/job/LedgerLine.ts"
import type { UsageRow } from "../domain/workspace/Usage.ts"
import { trace } from "../ports/Trace.ts"
import {
  type LedgerQuery,
  type UsageQuery,
  WorkspaceStore,
  type WorkspaceStoreError
} from "../ports/WorkspaceStore.ts"
import { makeFindAccount, type WorkspaceNotFound } from "./WorkspaceReads.ts"

/** A page of sums. */
export type UsagePage = Omit<UsageQuery, "keyId">

export class Usage extends Context.Service<
  Usage,
  {
    /** Sums what was charged and credited, also in workspaces that are deleted. */
    readonly read: (
      page: UsagePage
    ) => Effect.Effect<ReadonlyArray<UsageRow>, WorkspaceNotFound | WorkspaceStoreError>
    /** Lines of a ledger, the newest first; also of a workspace that is deleted. */
    readonly ledger: (
      query: LedgerQuery
    ) => Effect.Effect<ReadonlyArray<LedgerLine>, WorkspaceNotFound | WorkspaceStoreError>
  }
>()("@verbatim/core/services/Usage") {
  static readonly layer: Layer.Layer<Usage, never, WorkspaceStore> = Layer.effect(
    Usage,
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const findAccount = yield* makeFindAccount

      const read = trace("Usage.read")(function* (page: UsagePage) {
        if (page.workspaceId !== null) yield* findAccount(page.workspaceId)
        return yield* store.usage({ ...page, keyId: null })
      })

      const ledger = trace("Usage.ledger")(function* (query: LedgerQuery) {
        yield* findAccount(query.workspaceId)
        return yield* store.ledger(query)
      })

      return Usage.of({ read, ledger })
    })
  )
}
