/**
 * The promises of a `JobStore` about charges: once for a job, in the same commit, and never lost.
 */

import { JobStore, type WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { Effect } from "effect"
import { jobId, upTo } from "../../../samples/Ids.ts"
import {
  attemptStarted,
  deliveryStarted,
  receiverAccepted,
  retryScheduled,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { commitOf, makeFullJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { credit, foundingMillis, instant } from "../../../samples/SampleWorkspace.ts"
import { balances, commitJob, insertJob, readLedger, storedWhole } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const afterCharge = (millis: number) => ({
  balance: foundingMillis - millis,
  sum: foundingMillis - millis
})

/** What charges do to the balance. */
export const charges: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = workspaceCases(
  JobStore,
  {
    *"charges a job once, however many commits charge it"() {
      const workspaces = yield* WorkspaceStore
      const job = yield* insertJob(makeUploadJob(1, { delivery: makeFullJob(1).delivery }))
      const running = yield* commitJob(job, { events: [attemptStarted()] })
      const transcribed = yield* commitJob(running, {
        events: [transcriptProduced()],
        chargeMillis: 61_234
      })
      const expected = afterCharge(61_234)
      yield* Expect.that("it is charged", yield* balances).is(expected)
      const attempt = yield* commitJob(transcribed, {
        events: [deliveryStarted(1)],
        chargeMillis: 61_234
      })
      yield* commitJob(attempt, { events: [receiverAccepted()], chargeMillis: 9 })
      yield* Expect.that("it is not charged again", yield* balances).is(expected)
      yield* Expect.that(
        "the ledger has a line for it",
        (yield* readLedger(workspaces, job.workspaceId)).map(({ millis }) => millis)
      ).is([foundingMillis, -61_234])
    },
    *"writes the rest of a commit whose charge is a second one"() {
      const job = yield* insertJob(makeUploadJob(1))
      const running = yield* commitJob(job, { events: [attemptStarted()], chargeMillis: 5 })
      const waiting = yield* commitJob(running, {
        events: [retryScheduled(instant)],
        chargeMillis: 5
      })
      const { job: stored } = yield* storedWhole(jobId(1))
      yield* Expect.that("the job has moved", stored._tag === "Some" ? stored.value : undefined).is(
        waiting
      )
    },
    *"charges once when many commits of one job race"(store) {
      const running = yield* commitJob(yield* insertJob(makeUploadJob(1)), {
        events: [attemptStarted()]
      })
      const commit = commitOf(running, { events: [transcriptProduced()], chargeMillis: 61_234 })
      yield* atOnce(upTo(16), () => Effect.ignore(store.commit(commit)))
      yield* balances.pipe(Expect.gives("one charge counts", afterCharge(61_234)))
    },
    *"loses no charge and no credit when many of them race"(store) {
      const workspaces = yield* WorkspaceStore
      const jobs = yield* Effect.forEach(upTo(24), (number) => insertJob(makeUploadJob(number)))
      const changes: ReadonlyArray<Effect.Effect<unknown, unknown>> = jobs.flatMap((job, index) => [
        store.commit(commitOf(job, { events: [attemptStarted()], chargeMillis: index + 1 })),
        workspaces.credit(credit(100 + index, 1_000))
      ])
      yield* atOnce(changes, (each) => each)
      yield* Expect.that("balance and ledger have them all", yield* balances).is(
        afterCharge((24 * 25) / 2 - 24_000)
      )
    },
    *"lets a charge take the balance below zero"() {
      const job = yield* insertJob(makeUploadJob(1))
      yield* commitJob(job, { events: [attemptStarted()], chargeMillis: foundingMillis + 1 })
      yield* balances.pipe(Expect.gives("the balance is negative", { balance: -1, sum: -1 }))
    },
    *"charges nothing by a commit without a charge or a refused one"(store) {
      const job = yield* insertJob(makeUploadJob(1))
      yield* commitJob(job, { events: [attemptStarted()] })
      const late = commitOf(job, { events: [attemptStarted()], chargeMillis: 61_234 })
      yield* Expect.refuses(store.commit(late), "Superseded")
      yield* balances.pipe(Expect.gives("the balance is whole", afterCharge(0)))
    }
  }
)
