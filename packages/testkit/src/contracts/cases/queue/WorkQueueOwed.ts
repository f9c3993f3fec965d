/**
 * The promises of a `WorkQueue` about what is owed: how much of each kind, and for how long.
 */
import { recordOfKinds, type WorkKind } from "@verbatim/core/attempt"
import {
  type JobStore,
  leaseDuration,
  type OwedWork,
  WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { DateTime, Duration, Effect } from "effect"
import { jobId, leaseToken } from "../../../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { makeFinishedJob, makeOwingJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { claimIds, commitJob, givenBack, insertJob, storeTime } from "../../../samples/Stored.ts"
import { advance, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Counts = Omit<OwedWork, "age">

const none: Counts = { waiting: 0, held: 0, later: 0 }

const owed = Effect.flatMap(WorkQueue, (queue) => queue.owed)

/** How much is owed of each kind; none of those that are left out. */
const owes = (promise: string, expected: Partial<Record<WorkKind, Partial<Counts>>>) =>
  Effect.flatMap(owed, (actual) =>
    Expect.that(
      promise,
      recordOfKinds((kind): Counts => {
        const { held, later, waiting } = actual[kind]
        return { waiting, held, later }
      })
    ).is(recordOfKinds((kind): Counts => ({ ...none, ...expected[kind] })))
  )

/** How long the oldest has been due, and no more than a case may take beyond that. */
const hasAge = (promise: string, kind: WorkKind, age: Duration.Duration) =>
  Effect.flatMap(owed, ({ [kind]: { age: actual } }) =>
    Expect.holds(
      `${promise} (${Duration.format(actual)})`,
      Duration.isGreaterThanOrEqualTo(actual, age) &&
        Duration.isLessThan(actual, Duration.sum(age, slack))
    )
  )

/** Longer than any case takes by a clock that cannot be set. */
const slack = Duration.seconds(15)

const [first, second] = [leaseToken(1), leaseToken(2)]

/** What operators see of the queue. */
export const owedWork: ReadonlyArray<Case<WorkQueue | JobStore | WorkspaceStore>> = workspaceCases(
  WorkQueue,
  {
    *"counts what is owed of each kind: what waits, what is held, what is due later"() {
      yield* owes("nothing is owed at first", {})
      const now = yield* storeTime
      const hour = DateTime.add(now, { hours: 1 })
      const debts = [
        ["Fetch", now],
        ["Transcribe", now],
        ["Transcribe", now],
        ["Transcribe", hour],
        ["Summarize", now],
        ["Deliver", hour],
        ["Announce", now],
        ["AnnounceFirst", now],
        ["Notify", now],
        ["Isolate", now]
      ] as const
      yield* Effect.forEach(debts, ([kind, dueAt], index) =>
        insertJob(makeOwingJob(index + 1, { kind, dueAt }))
      )
      yield* insertJob(makeFinishedJob(20))
      yield* claimIds(first, { kinds: ["Transcribe"], limit: 1 })
      yield* claimIds(second, { kinds: ["Summarize"] })
      yield* owes("each is counted once, and what has ended is not", {
        Fetch: { waiting: 1 },
        Transcribe: { waiting: 1, held: 1, later: 1 },
        Summarize: { held: 1 },
        Deliver: { later: 1 },
        Announce: { waiting: 1 },
        AnnounceFirst: { waiting: 1 },
        Notify: { waiting: 1 },
        Isolate: { waiting: 1 }
      })
    },
    *"tells how long the oldest work has been due that nobody holds"() {
      const now = yield* storeTime
      const ages = [20, 600, 60]
      yield* Effect.forEach(ages, (seconds, index) =>
        insertJob(
          makeOwingJob(index + 1, {
            kind: "Transcribe",
            dueAt: DateTime.subtract(now, { seconds })
          })
        )
      )
      yield* insertJob(makeOwingJob(4, { kind: "Deliver", dueAt: DateTime.add(now, { hours: 1 }) }))
      yield* hasAge("it is the age of the oldest", "Transcribe", Duration.minutes(10))
      yield* hasAge("work that is due later has no age", "Deliver", Duration.zero)
      yield* claimIds(first, { kinds: ["Transcribe"], limit: 1 })
      yield* hasAge("of those that wait", "Transcribe", Duration.seconds(60))
      yield* advance(Duration.seconds(20))
      yield* hasAge("which grows", "Transcribe", Duration.seconds(80))
    },
    *"counts work as held until its lease ends, lapses or is given back"() {
      const job = yield* insertJob(makeUploadJob(1))
      yield* claimIds(first)
      yield* owes("a claim holds it", { Transcribe: { held: 1 } })
      yield* givenBack(first, [jobId(1)])
      yield* owes("a release frees it", { Transcribe: { waiting: 1 } })
      yield* claimIds(first)
      yield* advance(leaseDuration)
      yield* owes("a lease that lapses frees it", { Transcribe: { waiting: 1 } })
      yield* claimIds(second)
      const running = yield* commitJob(job, {
        events: [attemptStarted()],
        token: second,
        isLeaseKept: true
      })
      yield* owes("an attempt holds it", { Transcribe: { held: 1 } })
      yield* commitJob(running, { events: [transcriptProduced()], token: second })
      yield* owes("its end is the end of the debt", {})
    }
  }
)
