/**
 * What workspaces used, as their ledgers have it: sums, and line by line.
 */
import { Context, Duration, Effect, Layer } from "effect"
import type { LedgerLine } from "../../domain/job/LedgerLine.ts"
import type { UsageRow } from "../../domain/workspace/Usage.ts"
import { trace } from "../../ports/Trace.ts"
import {
  type LedgerQuery,
  type UsageQuery,
  WorkspaceStore,
  type WorkspaceStoreError
} from "../../ports/WorkspaceStore.ts"
import * as Quota from "../quota/Quota.ts"
import { shareInFlight } from "../quota/SharedAnswers.ts"
import { makeFindAccount, type WorkspaceNotFound } from "./WorkspaceReads.ts"

/** A page of sums. */
export type UsagePage = Omit<UsageQuery, "keyId">

/** How old a sum may be that several callers share: the next job is charged after seconds. */
const sharedFor = Duration.seconds(1)

/** Sums that are remembered. Each has a thousand rows at most, some 200 kB. */
const sharedMax = 64

type Sums = ReadonlyArray<UsageRow>

/**
 * Sums ledgers one at a time, each workspace in its turn: the database, or the process itself,
 * would do nothing else for as long as a workspace has callers. The same question within a second
 * has the same answer.
 */
const makeSum = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const { hold } = Quota.make({ share: 1, total: 1 })
  const shared = new Map<string, Effect.Effect<Sums, WorkspaceStoreError>>()
  return (query: UsageQuery) =>
    Effect.suspend(() => {
      const name = JSON.stringify(query)
      const known = shared.get(name)
      if (known !== undefined) return known
      const [oldest] = shared.keys()
      if (shared.size >= sharedMax && oldest !== undefined) shared.delete(oldest)
      const sum = shareInFlight(
        // Operators, who may sum all workspaces, have a share of their own.
        Effect.scoped(Effect.andThen(hold(query.workspaceId ?? "all"), store.usage(query))),
        sharedFor
      )
      shared.set(name, sum)
      return sum
    })
})

export class Usage extends Context.Service<
  Usage,
  {
    /**
     * Sums what was charged and credited, also in workspaces that are deleted. What was booked in
     * the last second may be missing.
     */
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
      const sum = yield* makeSum

      const read = trace("Usage.read")(function* (page: UsagePage) {
        if (page.workspaceId !== null) yield* findAccount(page.workspaceId)
        return yield* sum({ ...page, keyId: null })
      })

      const ledger = trace("Usage.ledger")(function* (query: LedgerQuery) {
        yield* findAccount(query.workspaceId)
        return yield* store.ledger(query)
      })

      return Usage.of({ read, ledger })
    })
  )
}
