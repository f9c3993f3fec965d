/**
 * Contract cases for `WorkQueue` about claims: which work a claim returns, when, and in which
 * order.
 */

import { recordOfKinds, type WorkKind } from "@verbatim/core/attempt"
import {
  type Capacity,
  type JobStore,
  leaseDuration,
  type PendingCounts,
  type PresetStore,
  WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { DateTime, Duration, Effect } from "effect"
import {
  attemptStarted,
  claimIds,
  commitJob,
  fullLanes,
  insertJob,
  instant,
  jobId,
  leaseToken,
  makeFinishedJob,
  makePendingJob,
  makeUploadJob,
  releaseLeases,
  storeTime,
  takenLanes,
  transcriptProduced,
  upTo,
  withWorkspace
} from "../../samples/index.ts"
import { advance, atOnce, type Cases, type Contract, workspaceCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import { randomCallers } from "./RandomCallers.ts"
import { expectClaim, fairness, leases } from "./WorkQueueLeases.ts"

type Ports = WorkQueue | JobStore | PresetStore | WorkspaceStore

const [first, second] = [leaseToken(1), leaseToken(2)]

const makeWaitingJob = (number: number, dueAt: DateTime.Utc) =>
  makePendingJob(number, { kind: "Transcribe", dueAt })

/** Inserts a job for each age: the number of seconds since the job was due. */
const insertWaiting = (ages: ReadonlyArray<number>) =>
  Effect.flatMap(storeTime, (now) =>
    Effect.forEach(ages, (seconds, index) =>
      insertJob(makeWaitingJob(index + 1, DateTime.subtract(now, { seconds })))
    )
  )

/** Inserts a webhook for each host, due in the order of the hosts. */
const insertWebhooks = (hosts: ReadonlyArray<string>) =>
  Effect.flatMap(storeTime, (now) =>
    Effect.forEach(hosts, (host, index) => {
      const dueAt = DateTime.subtract(now, { seconds: 100 - index })
      const receiver = `https://${host}.example.com/in`
      return insertJob(makePendingJob(index + 1, { kind: "Deliver", dueAt, receiver }))
    })
  )

/** Checks that a claim returns a job only once it is due. */
const handedOutWhenDue = (after: Duration.Duration, before: Duration.Duration) =>
  withWorkspace(function* () {
    yield* insertJob(makeWaitingJob(1, DateTime.addDuration(yield* storeTime, after)))
    yield* advance(Duration.subtract(after, before))
    yield* expectClaim("before that instant it is not due", [])
    yield* advance(before)
    yield* expectClaim("at that instant it is due", [1], { token: second })
  })

const claims: Cases<Ports> = workspaceCases(WorkQueue, {
  "hands out work once it is due, and not before": handedOutWhenDue(
    Duration.seconds(60),
    Duration.seconds(10)
  ),
  "hands out work exactly when the work becomes due": handedOutWhenDue(
    Duration.seconds(10),
    Duration.millis(1)
  ),
  *"returns the time of its own clock, which advances"() {
    const before = yield* storeTime
    yield* advance(Duration.seconds(10))
    yield* Expect.holds(
      "ten seconds have passed",
      DateTime.isGreaterThanOrEqualTo(yield* storeTime, DateTime.add(before, { seconds: 10 }))
    )
  },
  *"hands out the earliest due work first"() {
    // The expected order differs from the order of ids and from the order of insertion.
    yield* insertWaiting([30, 5, 90, 60, 1, 2_000_000])
    yield* expectClaim("ordered by instant", [6, 3, 4, 1, 2, 5])
  },
  *"hands out work with the same due time in order of job id"() {
    yield* Effect.forEach([3, 1, 12, 2, 11], (number) => insertJob(makeUploadJob(number)))
    yield* expectClaim("ordered by id", [1, 2, 3, 11, 12])
  },
  *"hands out the earliest work, up to the limit"() {
    yield* insertWaiting(upTo(20))
    yield* expectClaim("a limit of 0 returns nothing", [], { limit: 0 })
    const three = [20, 19, 18].map(jobId)
    yield* claimIds(first, { limit: 3 }).pipe(
      Expect.gives("the jobs that have waited longest", three)
    )
    const next = [17, 16].map(jobId)
    yield* claimIds(second, { limit: 2 }).pipe(Expect.gives("the next claim continues", next))
  },
  *"hands out only the requested kinds of work"() {
    const dueAt = yield* storeTime
    const kinds = ["Fetch", "Transcribe", "Summarize", "Deliver"] as const
    yield* Effect.forEach(kinds, (kind, index) =>
      insertJob(makePendingJob(index + 1, { kind, dueAt }))
    )
    yield* expectClaim("a claim without kinds gets nothing", [], { kinds: [] })
    yield* expectClaim("two kinds return two jobs", [2, 4], { kinds: ["Deliver", "Transcribe"] })
    yield* Expect.that("a claim for each kind returns the kind's job", [
      yield* claimIds(second, { kinds: ["Summarize"] }),
      yield* claimIds(second, { kinds: ["Fetch"] })
    ]).is([[jobId(3)], [jobId(1)]])
  },
  *"hands out each job to only one of many concurrent claims"() {
    yield* Effect.forEach(upTo(60), (number) => insertJob(makeUploadJob(number)))
    const claims = yield* atOnce(upTo(16), (number) => claimIds(leaseToken(number), { limit: 5 }))
    yield* Expect.that("every job went to exactly one of them", claims.flat().sort()).is(
      upTo(60).map(jobId)
    )
  }
})

const lanes: Cases<WorkQueue | JobStore | WorkspaceStore> = workspaceCases(WorkQueue, {
  *"skips only full lanes"() {
    const receivers = [
      "https://a.example.com/in",
      "https://b.example.com/in",
      "https://a.example.com/out",
      "https://a.example.com:8443/in",
      "http://a.example.com/in",
      "https://o'hara.example.com/in"
    ]
    yield* Effect.forEach(receivers, (receiver, index) =>
      insertJob(makePendingJob(index + 1, { kind: "Deliver", dueAt: instant, receiver }))
    )
    yield* insertJob(makeUploadJob(7))
    const busy = ["https://a.example.com", "https://o'hara.example.com", "https://c.example"]
    yield* expectClaim("the other jobs are handed out", [2, 4, 5, 7], { lanes: fullLanes(busy) })
    yield* expectClaim("the skipped work waits", [1, 3, 6])
  },
  *"fills a claim, however many full lanes must be skipped"() {
    const hosts = upTo(50).map(String)
    yield* insertWebhooks([...hosts, "free", "free", "free"])
    const busy = hosts.map((host) => `https://${host}.example.com`)
    yield* expectClaim("work after them is found", [51, 52], { lanes: fullLanes(busy), limit: 4 })
  },
  *"fills a lane's free slots with the lane's earliest work, and leaves the rest unclaimed"() {
    yield* insertWebhooks(["a", "a", "b", "a", "b", "c", "a"])
    const now = yield* storeTime
    yield* Effect.forEach([8, 9], (number) => insertJob(makeWaitingJob(number, now)))
    const lanes = { max: 2, taken: takenLanes({ "https://b.example.com": 1 }) }
    yield* expectClaim(
      "two of a new lane, one more of another, and work without a lane",
      [1, 2, 3, 6, 8, 9],
      { lanes }
    )
    yield* expectClaim("work beyond the slots is unclaimed", [4, 5, 7], { token: leaseToken(2) })
  },
  *"reports whether more work may be due than was handed out"(queue) {
    yield* insertWebhooks(["a", "a", "a"])
    const claim = (number: number, kinds: Capacity["kinds"], max = 9) =>
      Effect.map(
        queue.claim({ token: leaseToken(number), kinds, held: {}, lanes: { max, taken: {} } }),
        ({ hasMore, jobs }) => [hasMore, jobs.length]
      )
    yield* Expect.that("there may be when all slots are taken", [
      yield* claim(1, { Deliver: 0 }),
      yield* claim(2, { Deliver: 4, Transcribe: 1 }, 1),
      yield* claim(3, { Deliver: 1 }, 1),
      yield* claim(4, { Deliver: 1, Transcribe: 1 }),
      yield* claim(5, { Deliver: 1, Transcribe: 1 })
    ]).is([
      [false, 0],
      [false, 1],
      [true, 1],
      [true, 1],
      [false, 0]
    ])
  }
})

type Counts = Omit<PendingCounts, "age">

const none: Counts = { waiting: 0, held: 0, later: 0 }

const pendingCounts = WorkQueue.use((queue) => queue.pendingCounts)

/** Fails unless each kind has this much pending work. Kinds that are not listed must have none. */
const expectPending = (promise: string, expected: Partial<Record<WorkKind, Partial<Counts>>>) =>
  Effect.flatMap(pendingCounts, (actual) =>
    Expect.that(
      promise,
      recordOfKinds((kind): Counts => {
        const { held, later, waiting } = actual[kind]
        return { waiting, held, later }
      })
    ).is(recordOfKinds((kind): Counts => ({ ...none, ...expected[kind] })))
  )

/** Fails unless the oldest work has this age, within the duration of the case itself. */
const expectAge = (promise: string, kind: WorkKind, age: Duration.Duration) =>
  Effect.flatMap(pendingCounts, ({ [kind]: { age: actual } }) =>
    Expect.holds(
      `${promise} (${Duration.format(actual)})`,
      Duration.isGreaterThanOrEqualTo(actual, age) &&
        Duration.isLessThan(actual, Duration.sum(age, slack))
    )
  )

/** For stores with a clock that tests cannot set. No case takes as long. */
const slack = Duration.seconds(15)

const pendingWork: Cases<WorkQueue | JobStore | WorkspaceStore> = workspaceCases(WorkQueue, {
  *"counts pending work of each kind: waiting, held, and due later"() {
    yield* expectPending("no work is pending at first", {})
    const now = yield* storeTime
    const hour = DateTime.add(now, { hours: 1 })
    const debts = [
      ["Fetch", now],
      ["Transcribe", now],
      ["Transcribe", now],
      ["Transcribe", hour],
      ["Summarize", now],
      ["Deliver", hour],
      ["Notify", now],
      ["Isolate", now]
    ] as const
    yield* Effect.forEach(debts, ([kind, dueAt], index) =>
      insertJob(makePendingJob(index + 1, { kind, dueAt }))
    )
    yield* insertJob(makeFinishedJob(20))
    yield* claimIds(first, { kinds: ["Transcribe"], limit: 1 })
    yield* claimIds(second, { kinds: ["Summarize"] })
    yield* expectPending("each pending task is counted once, and ended work is not counted", {
      Fetch: { waiting: 1 },
      Transcribe: { waiting: 1, held: 1, later: 1 },
      Summarize: { held: 1 },
      Deliver: { later: 1 },
      Notify: { waiting: 1 },
      Isolate: { waiting: 1 }
    })
  },
  *"reports how long the oldest unclaimed work has been due"() {
    yield* insertWaiting([20, 600, 60])
    const later = DateTime.add(yield* storeTime, { hours: 1 })
    yield* insertJob(makePendingJob(4, { kind: "Deliver", dueAt: later }))
    yield* expectAge("the age is that of the oldest work", "Transcribe", Duration.minutes(10))
    yield* expectAge("work that is due later has no age", "Deliver", Duration.zero)
    yield* claimIds(first, { kinds: ["Transcribe"], limit: 1 })
    yield* expectAge("only unclaimed work counts", "Transcribe", Duration.seconds(60))
    yield* advance(Duration.seconds(20))
    yield* expectAge("which grows", "Transcribe", Duration.seconds(80))
  },
  *"counts work as held until its lease ends, expires or is released"() {
    const job = yield* insertJob(makeUploadJob(1))
    yield* claimIds(first)
    yield* expectPending("work is held after a claim", { Transcribe: { held: 1 } })
    yield* releaseLeases(first, [jobId(1)])
    yield* expectPending("work is waiting after a release", { Transcribe: { waiting: 1 } })
    yield* claimIds(first)
    yield* advance(leaseDuration)
    yield* expectPending("work is waiting after its lease expires", { Transcribe: { waiting: 1 } })
    yield* claimIds(second)
    const running = yield* commitJob(job, {
      events: [attemptStarted()],
      token: second,
      isLeaseKept: true
    })
    yield* expectPending("work is held during an attempt", { Transcribe: { held: 1 } })
    yield* commitJob(running, { events: [transcriptProduced()], token: second })
    yield* expectPending("no work is pending after its end", {})
  }
})

export const contract: Contract<Ports> = {
  port: "WorkQueue",
  cases: [...claims, ...lanes, ...fairness, ...leases, ...pendingWork, ...randomCallers]
}
