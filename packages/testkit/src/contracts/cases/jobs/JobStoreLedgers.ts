/**
 * What a ledger tells of charges: the job and the key that asked for it, for good.
 */
import type { LedgerReason } from "@verbatim/core/job"
import { JobStore, type WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { Effect } from "effect"
import { apiKeyId, creditId, jobId, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted } from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { foundingMillis, instant, later } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const founding: LedgerReason = { _tag: "Credit", creditId: creditId(1) }

const chargeOf = (number: number, key?: number): LedgerReason => ({
  _tag: "Charge",
  jobId: jobId(number),
  keyId: key === undefined ? null : apiKeyId(key)
})

/** JSON has no such zero, and no database. */
const isBelowZero = (millis: number): boolean => Object.is(millis, -0)

const charge = Effect.fnUntraced(function* (number: number, key?: number) {
  const keyId = key === undefined ? {} : { keyId: apiKeyId(key) }
  const job = yield* insertJob(makeUploadJob(number, keyId))
  const change = { events: [attemptStarted()], chargeMillis: number - 1, at: later(number) }
  yield* commitJob(job, change)
})

/** What ledgers tell of charges. */
export const ledgers: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = workspaceCases(
  WorkspaceStore,
  {
    *"tells the job of each charge and the key that asked for it, also when the job is gone"(
      store
    ) {
      const jobs = yield* JobStore
      yield* charge(3, 7)
      // It costs nothing.
      yield* charge(1, 8)
      yield* charge(2)
      const expected = [
        { at: later(2), millis: -1, reason: chargeOf(2) },
        { at: later(1), millis: 0, reason: chargeOf(1, 8) },
        { at: later(3), millis: -2, reason: chargeOf(3, 7) },
        { at: instant, millis: foundingMillis, reason: founding }
      ]
      const lines = Effect.map(
        store.ledger({ workspaceId: workspaceId(1), before: null, limit: 9 }),
        (all) => all.map(({ place: _, ...line }) => line)
      )
      yield* lines.pipe(Expect.gives("the last booked first", expected))
      const amounts = (yield* lines).map(({ millis }) => millis)
      yield* Expect.holds("nothing is zero, and not below it", !amounts.some(isBelowZero))
      for (const number of [1, 2, 3]) yield* jobs.remove(workspaceId(1), jobId(number))
      yield* lines.pipe(Expect.gives("the same without the jobs", expected))
    }
  }
)
