/**
 * The promises of a `WorkQueue` about leases: how long they hold, and how they end.
 */
import type { JobId } from "@verbatim/core/attempt"
import { JobStore, leaseDuration, WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { Duration, Effect, Option } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, retryScheduled, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { instant, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import {
  claimIds,
  claimJobs,
  commitJob,
  givenBack,
  insertJob,
  renewedIds
} from "../../../samples/Stored.ts"
import { advance, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const [first, second, third] = [leaseToken(1), leaseToken(2), leaseToken(3)]
const moment = Duration.millis(1)

/** Longer than any case takes by a clock that cannot be set. */
const slack = Duration.seconds(5)

const before = (margin: Duration.Duration) => Duration.subtract(leaseDuration, margin)

/** Takes steps when the first token has claimed the one job. */
const withLease = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  steps: () => Generator<Step, A, never>
) =>
  withWorkspace(function* () {
    yield* insertJob(makeUploadJob(1))
    yield* claimIds(first)
    return yield* Effect.gen(steps)
  })

/** The first token begins the attempt and goes on. */
const startAttempt = commitJob(makeUploadJob(1), {
  events: [attemptStarted()],
  token: first,
  isLeaseKept: true
})

const nobodyElse = (reason: string) =>
  Effect.flatMap(claimIds(second), (actual) => Expect.that(reason, actual).is([]))

const somebodyElse = (reason: string) =>
  Effect.flatMap(claimIds(second), (actual) => Expect.that(reason, actual).is([jobId(1)]))

const renews = (promise: string, numbers: ReadonlyArray<number>) =>
  Effect.flatMap(renewedIds(first, [jobId(1)]), (actual) =>
    Expect.that(promise, actual).is(numbers.map(jobId))
  )

/** The lease of the first token has its whole duration left; the margin is how exactly. */
const lastsWhole = Effect.fnUntraced(function* (margin: Duration.Duration) {
  yield* advance(before(margin))
  yield* nobodyElse("the lease holds until its end")
  yield* advance(margin)
  yield* somebodyElse("at its end it holds no more")
})

/** What a lease is worth. */
export const leases: ReadonlyArray<Case<WorkQueue | JobStore | WorkspaceStore>> = workspaceCases(
  JobStore,
  {
    "gives out leased work again when the lease has ended and not before": withLease(function* () {
      yield* nobodyElse("a fresh lease holds")
      yield* lastsWhole(slack)
    }),
    "gives out leased work again at the very instant the lease ends": withLease(function* () {
      yield* lastsWhole(moment)
    }),
    "renews a lease for its whole duration from now": withLease(function* () {
      yield* advance(Duration.seconds(20))
      yield* renews("the lease is held", [1])
      yield* lastsWhole(slack)
    }),
    "renews a lapsed lease that nobody took": withLease(function* () {
      yield* advance(Duration.minutes(5))
      yield* renews("it is still held", [1])
      yield* nobodyElse("and holds again")
    }),
    "renews no lease whose work another claim took": withLease(function* () {
      yield* advance(leaseDuration)
      yield* claimIds(second)
      yield* renews("the first token is told", [])
      yield* Expect.that("the second one holds the work", yield* renewedIds(second, [jobId(1)])).is(
        [jobId(1)]
      )
    }),
    "gives lapsed work to the same token again": withLease(function* () {
      yield* advance(leaseDuration)
      yield* claimIds(first).pipe(Expect.gives("the work is claimed", [jobId(1)]))
    }),
    *"renews those of many leases that are held, and tells which"() {
      yield* Effect.forEach(upTo(6), (number) => insertJob(makeUploadJob(number)))
      yield* claimIds(first, { limit: 4 })
      yield* claimIds(second)
      yield* givenBack(first, [jobId(2)])
      yield* Expect.that(
        "the others, unknown ones and returned ones are left out",
        yield* renewedIds(first, [1, 2, 3, 4, 5, 6, 99].map(jobId))
      ).is([1, 3, 4].map(jobId))
      yield* renewedIds(first, []).pipe(Expect.gives("no leases give no ids", []))
    },
    *"tells of a lease that is gone, and does not take it for a busy one"(store) {
      const queue = yield* WorkQueue
      yield* Effect.forEach(upTo(5), (number) => insertJob(makeUploadJob(number)))
      yield* claimIds(first)
      yield* givenBack(first, [jobId(1), jobId(2)])
      yield* claimIds(second, { limit: 1 })
      yield* commitJob(makeUploadJob(3), { events: [attemptStarted()], token: first })
      yield* store.remove(workspaceId(1), jobId(4))
      const leases = [1, 2, 3, 4, 5, 6].map((number) => ({ jobId: jobId(number), token: first }))
      yield* Expect.that("one is extended, and the others are gone", yield* queue.renew(leases)).is(
        {
          extended: new Set([jobId(5)]),
          busy: new Set<JobId>()
        }
      )
    },
    *"renews hundreds of leases in one call"() {
      const ids = upTo(400).map(jobId)
      yield* Effect.forEach(upTo(400), (number) => insertJob(makeUploadJob(number)))
      yield* claimIds(first)
      yield* renewedIds(first, ids).pipe(Expect.gives("all are held", ids))
      yield* givenBack(first, ids)
      yield* claimIds(second).pipe(Expect.gives("all are given back", ids))
    },
    "renews no lease that a commit ended": withLease(function* () {
      const running = yield* startAttempt
      yield* renews("a commit that keeps the lease leaves it held", [1])
      yield* commitJob(running, { events: [retryScheduled(instant)], token: first })
      yield* renews("a commit that ends it does not", [])
      yield* somebodyElse("and the work is free at once")
    }),
    "renews no lease of a job that owes nothing any more": withLease(function* () {
      const running = yield* startAttempt
      yield* commitJob(running, { events: [transcriptProduced()], token: first, isLeaseKept: true })
      yield* renews("the lease is gone", [])
      yield* advance(leaseDuration)
      yield* nobodyElse("and so is the work")
    }),
    "gives returned work to the next claim, however often it is returned": withLease(function* () {
      yield* givenBack(first, [jobId(1)])
      yield* givenBack(first, [jobId(1)])
      yield* somebodyElse("the next claim has it")
      yield* givenBack(first, [jobId(1)])
      yield* Expect.that(
        "the late return of another token takes nothing away",
        yield* claimIds(third)
      ).is([])
    }),
    "takes back nothing that the token does not hold": withLease(function* () {
      yield* givenBack(second, [jobId(1), jobId(2)])
      yield* nobodyElse("the lease of the first token holds")
      yield* givenBack(first, [])
      yield* renews("a return of nothing changes nothing", [1])
    }),
    "gives out the job as the last commit left it": withLease(function* () {
      const running = yield* startAttempt
      yield* advance(leaseDuration)
      yield* Expect.that(
        "who takes it over sees the attempt under way",
        yield* claimJobs(second)
      ).is([running])
    }),
    "keeps the progress of work while its lease is held, and no longer": withLease(function* () {
      const queue = yield* WorkQueue
      const store = yield* JobStore
      const lease = { jobId: jobId(1), token: first }
      const isNow = Effect.fnUntraced(function* (promise: string, expected: number | undefined) {
        const actual = Option.getOrUndefined(yield* store.progress(jobId(1)))
        yield* Expect.that(promise, actual).is(expected)
      })
      yield* isNow("at first nothing is known", undefined)
      yield* queue.renew([{ ...lease, progress: 0.25 }])
      yield* isNow("then what was told", 0.25)
      yield* queue.renew([lease])
      yield* isNow("silence changes nothing", 0.25)
      yield* queue.renew([{ ...lease, progress: 0.4996 }])
      yield* isNow("thousandths are kept", 0.5)
      yield* queue.renew([{ ...lease, token: second, progress: 0.9 }])
      yield* isNow("a stranger tells nothing", 0.5)
      yield* advance(Duration.sum(leaseDuration, slack))
      yield* somebodyElse("another begins anew")
      yield* isNow("and nothing is known of it", undefined)
      yield* queue.renew([{ ...lease, token: second, progress: 1 }])
      yield* givenBack(second, [jobId(1)])
      yield* isNow("nor of work that was given back", undefined)
      yield* Expect.that("nor of a job that is unknown", yield* store.progress(jobId(9))).is(
        Option.none()
      )
    })
  }
)
