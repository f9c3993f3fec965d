/** Reads the usage of workspaces from their ledgers: totals and single lines. */
import { Cache, Context, Duration, Effect, Layer } from "effect"
import { trace } from "../../ports/Trace.ts"
import { type LedgerQuery, type UsageQuery, WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import * as Quota from "../quota/Quota.ts"
import { makeFindAccount } from "./WorkspaceReads.ts"

/** Options for `Usage.read`. */
export type UsagePage = Omit<UsageQuery, "keyId">

/**
 * Maximum age of a total that several callers share. A fresher one would also be outdated within
 * seconds.
 */
const sharedFor = Duration.seconds(1)

/** Maximum number of totals to remember. Each total has at most a thousand rows, about 200 kB. */
const sharedMax = 64

/**
 * Adds up ledgers one at a time, alternating between workspaces. Otherwise, a workspace with many
 * callers could keep the database or the process fully busy. If the same query is made again within
 * a second, it gets the same result.
 */
const makeSums = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const { hold } = Quota.make({ share: 1, total: 1 })
  return yield* Cache.make({
    capacity: sharedMax,
    timeToLive: sharedFor,
    // Operators can get totals for all workspaces, and have a share of their own.
    lookup: (query: UsageQuery) =>
      Effect.scoped(Effect.andThen(hold(query.workspaceId ?? "all"), store.usage(query)))
  })
})

const makeUsage = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const findAccount = yield* makeFindAccount
  const sums = yield* makeSums

  const read = trace("Usage.read")(function* (page: UsagePage) {
    if (page.workspaceId !== null) yield* findAccount(page.workspaceId)
    return yield* Cache.get(sums, { ...page, keyId: null })
  })

  const ledger = trace("Usage.ledger")(function* (query: LedgerQuery) {
    yield* findAccount(query.workspaceId)
    return yield* store.ledger(query)
  })

  return {
    /**
     * Returns totals of charges and credits, including those of deleted workspaces. Lines from the
     * last second may be missing.
     */
    read,
    /** Returns lines of a ledger, the newest first, even if the workspace was deleted. */
    ledger
  }
})

export class Usage extends Context.Service<Usage, Effect.Success<typeof makeUsage>>()(
  "@verbatim/core/services/Usage"
) {
  static readonly layer: Layer.Layer<Usage, never, WorkspaceStore> = Layer.effect(Usage, makeUsage)
}
