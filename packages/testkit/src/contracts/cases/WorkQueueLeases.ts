/** Contract cases for `WorkQueue` about leases: how long they are valid, and how they end. */
import { type Job, webhookLane } from "@verbatim/core/job"
import {
  JobStore,
  type LeaseToken,
  leaseDuration,
  WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Duration, Effect, Option } from "effect"
import {
  type ClaimOptions,
  claimIds,
  claimJobs,
  type DueWork,
  fullLanes,
  insertJob,
  jobId,
  later,
  leaseToken,
  makePendingJob,
  makeUploadJob,
  releaseLeases,
  renewLeases,
  takenLanes,
  upTo,
  withWorkspace,
  workspaceId
} from "../../samples/index.ts"
import { advance, type Cases, workspaceCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

const [first, second] = [leaseToken(1), leaseToken(2)]
const moment = Duration.millis(1)

/** For stores with a clock that tests cannot set. No case takes as long. */
const slack = Duration.seconds(5)

/** Fails unless a claim, by default with the first token, returns these jobs in order. */
export const expectClaim = (
  promise: string,
  numbers: ReadonlyArray<number>,
  { token = first, ...options }: ClaimOptions & { readonly token?: LeaseToken } = {}
) => claimIds(token, options).pipe(Expect.gives(promise, numbers.map(jobId)))

const before = (margin: Duration.Duration) => Duration.subtract(leaseDuration, margin)

/** Claims the only job with the first token, and runs the steps. */
const withLease = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  steps: () => Generator<Step, A, never>
) =>
  withWorkspace(function* () {
    yield* insertJob(makeUploadJob(1))
    yield* claimIds(first)
    return yield* Effect.gen(steps)
  })

const expectNoOther = (reason: string) => expectClaim(reason, [], { token: second })

const expectOther = (reason: string) => expectClaim(reason, [1], { token: second })

const expectRenewed = (promise: string, numbers: ReadonlyArray<number>) =>
  renewLeases(first, [jobId(1)]).pipe(Expect.gives(promise, numbers.map(jobId)))

/**
 * Checks that the first token's lease still has its full duration, within the check's precision.
 */
const lastsWhole = Effect.fnUntraced(function* (margin: Duration.Duration) {
  yield* advance(before(margin))
  yield* expectNoOther("the lease is valid until its end")
  yield* advance(margin)
  yield* expectOther("at its end the lease is invalid")
})

export const leases: Cases<WorkQueue | JobStore | WorkspaceStore> = workspaceCases(JobStore, {
  "hands out leased work again once its lease has expired, and not before": withLease(function* () {
    yield* expectNoOther("a fresh lease is valid")
    yield* lastsWhole(slack)
  }),
  "hands out leased work again exactly when its lease expires": withLease(function* () {
    yield* lastsWhole(moment)
  }),
  "renews a lease for its full duration, counted from the renewal": withLease(function* () {
    yield* advance(Duration.seconds(20))
    yield* expectRenewed("the lease is held", [1])
    yield* lastsWhole(slack)
  }),
  "renews an expired lease that no other claim took": withLease(function* () {
    yield* advance(Duration.minutes(5))
    yield* expectRenewed("the expired lease is renewed", [1])
    yield* expectNoOther("the renewed lease is valid again")
  }),
  *"renews hundreds of leases in one call"() {
    const ids = upTo(400).map(jobId)
    yield* Effect.forEach(upTo(400), (number) => insertJob(makeUploadJob(number)))
    yield* claimIds(first)
    yield* renewLeases(first, ids).pipe(Expect.gives("all leases are held", ids))
    yield* releaseLeases(first, ids)
    yield* claimIds(second).pipe(Expect.gives("all leases are released", ids))
  },
  "keeps the progress of work as long as its lease is held, and no longer": withLease(function* () {
    const queue = yield* WorkQueue
    const store = yield* JobStore
    const lease = { jobId: jobId(1), token: first }
    const expectProgress = Effect.fnUntraced(function* (
      promise: string,
      expected: number | undefined
    ) {
      const actual = Option.getOrUndefined(yield* store.progress(jobId(1)))
      yield* Expect.that(promise, actual).is(expected)
    })
    yield* expectProgress("at first there is no progress", undefined)
    yield* queue.renew([{ ...lease, progress: 0.25 }])
    yield* expectProgress("the progress is the reported progress", 0.25)
    yield* queue.renew([lease])
    yield* expectProgress("a renewal without progress keeps it", 0.25)
    yield* queue.renew([{ ...lease, progress: 0.4996 }])
    yield* expectProgress("thousandths are kept", 0.5)
    yield* queue.renew([{ ...lease, token: second, progress: 0.9 }])
    yield* expectProgress("another token's report is ignored", 0.5)
    yield* advance(Duration.sum(leaseDuration, slack))
    yield* expectOther("another claim starts over")
    yield* expectProgress("the new attempt's progress is unknown", undefined)
    yield* queue.renew([{ ...lease, token: second, progress: 1 }])
    yield* releaseLeases(second, [jobId(1)])
    yield* expectProgress("released work has none", undefined)
    yield* Expect.that("an unknown job has none", yield* store.progress(jobId(9))).is(Option.none())
  })
})

/**
 * The amount of a workspace's pending work, and the number of its first job. Jobs are due in the
 * order of their numbers.
 */
interface Backlog extends Pick<DueWork, "kind"> {
  readonly owner: number
  readonly from: number
  readonly count: number
  /** Returns the host for the webhook with the given number. */
  readonly host?: (number: number) => string
}

const backlog = ({ count, from, host, kind, owner }: Backlog) =>
  Effect.forEach(upTo(count), (index) => {
    const number = from + index - 1
    const receiver = `https://${host?.(number) ?? number}.example.com/in`
    const job: Job = makePendingJob(number, { kind, dueAt: later(number - 2_000), receiver })
    return insertJob({ ...job, workspaceId: workspaceId(owner) })
  })

const speech = (owner: number, from: number, count: number) =>
  backlog({ kind: "Transcribe", owner, from, count })

/** More due work than a single claim reads. */
const long = 160

export const fairness: Cases<WorkQueue | JobStore | WorkspaceStore> = workspaceCases(WorkQueue, {
  *"serves every waiting workspace once before serving any workspace again"() {
    yield* speech(1, 1, 20)
    yield* speech(2, 21, 2)
    yield* speech(3, 31, 1)
    yield* expectClaim(
      "each workspace gets one slot, and then the first gets another",
      [1, 2, 21, 31],
      { kinds: ["Transcribe"], limit: 4 }
    )
  },
  *"gives the next slot to the workspace that follows the one served last"() {
    yield* speech(1, 1, 20)
    yield* speech(2, 21, 2)
    const served = yield* Effect.forEach(upTo(5), (number) =>
      claimIds(leaseToken(number), { kinds: ["Transcribe"], limit: 1 })
    )
    yield* Expect.that("the workspaces alternate while both have work", served.flat()).is(
      [1, 21, 2, 22, 3].map(jobId)
    )
  },
  *"gives slots to the workspaces with the least running work"() {
    yield* speech(1, 1, 20)
    yield* speech(2, 21, 5)
    yield* expectClaim("the second catches up with the first", [1, 21, 22, 23], {
      kinds: ["Transcribe"],
      limit: 4,
      held: { Transcribe: { [workspaceId(1)]: 2 }, Deliver: { [workspaceId(2)]: 9 } }
    })
  },
  *"reserves slots for other workspaces only for work that waits for remote hosts"() {
    yield* backlog({ kind: "Deliver", owner: 1, from: 1, count: 20 })
    const alone = yield* claimIds(first, { kinds: ["Deliver"], limit: 8 })
    yield* Expect.that("one workspace alone gets half", alone).is(upTo(4).map(jobId))
    const held = { Deliver: { [workspaceId(1)]: 4 } }
    yield* expectClaim("the workspace gets no more slots", [], {
      token: second,
      kinds: ["Deliver"],
      limit: 4,
      held
    })
    yield* backlog({ kind: "Deliver", owner: 2, from: 31, count: 20 })
    yield* expectClaim("another workspace gets slots", [31, 32], {
      token: second,
      kinds: ["Deliver"],
      limit: 4,
      held
    })
    yield* speech(1, 61, 8)
    yield* Expect.that(
      "transcription takes all slots",
      yield* claimIds(second, { kinds: ["Transcribe"], limit: 8 })
    ).is(upTo(8).map((number) => jobId(60 + number)))
  },
  *"counts the lanes of each workspace separately"() {
    const host = () => "same"
    yield* backlog({ kind: "Deliver", owner: 1, from: 1, count: 3, host })
    yield* backlog({ kind: "Deliver", owner: 2, from: 11, count: 3, host })
    yield* expectClaim("the full lane of one workspace does not affect another", [11, 12, 13], {
      lanes: fullLanes(["https://same.example.com"])
    })
  },
  *"serves every workspace once before any workspace again, however long the queue is"() {
    const owners = 40
    yield* Effect.forEach(upTo(owners), (owner) => speech(owner, owner * 10, long / owners))
    const served = yield* Effect.forEach(upTo(owners / 4), (number) =>
      claimJobs(leaseToken(number), { kinds: ["Transcribe"], limit: 4 })
    )
    yield* Expect.that(
      "each workspace is served once before any is served twice",
      served.flatMap((jobs) => jobs.map((job) => job.workspaceId)).sort()
    ).is(upTo(owners).map(workspaceId))
  },
  *"reaches a workspace behind any number of workspaces whose lanes are full"() {
    const owners = 40
    const host = () => "same"
    // All work of a workspace goes to one host, and that lane is full.
    yield* Effect.forEach(upTo(owners), (owner) =>
      backlog({ kind: "Deliver", owner, from: owner * 10, count: long / owners, host })
    )
    yield* backlog({ kind: "Deliver", owner: owners + 1, from: 1_000, count: 1 })
    const busy = upTo(owners).map((owner) => `${workspaceId(owner)} https://same.example.com`)
    const lanes = { max: 4, taken: Object.fromEntries(busy.map((lane) => [lane, 4])) }
    const found = yield* Effect.forEach(upTo(3), (number) =>
      claimIds(leaseToken(number), { kinds: ["Deliver"], lanes, limit: 8 })
    )
    yield* Expect.that("the job is found once", found.flat()).is([jobId(1_000)])
  },
  *"respects lane limits, however long the queue is"() {
    const host = (number: number) => {
      if (number <= long) return "full"
      return number <= long + 6 ? "half" : "empty"
    }
    yield* backlog({ kind: "Deliver", owner: 1, from: 1, count: long + 12, host })
    const lane = (name: string) => webhookLane(`https://${name}.example.com/in`)
    const lanes = { max: 4, taken: takenLanes({ [lane("full")]: 4, [lane("half")]: 2 }) }
    const due = [1, 2, 7, 8, 9, 10].map((number) => jobId(long + number))
    yield* claimIds(first, { kinds: ["Deliver"], lanes, limit: 100 }).pipe(
      Expect.gives("work in free lanes is found after work in full ones", due)
    )
  },
  *"reports that more work may be due until it has inspected all due work"(queue) {
    const owners = 40
    yield* Effect.forEach(upTo(owners), (owner) => speech(owner, owner * 10, long / owners))
    const room = { kinds: { Transcribe: 1_000 }, held: {}, lanes: fullLanes([]) }
    const given: Array<string> = []
    // Every claim returns some work, until a claim reports that none is left.
    for (const number of upTo(owners)) {
      const { hasMore, jobs } = yield* queue.claim({ ...room, token: leaseToken(number) })
      given.push(...jobs.map(({ id }) => id))
      if (!hasMore) break
    }
    yield* Expect.that("all work was handed out", given.length).is(long)
  }
})
