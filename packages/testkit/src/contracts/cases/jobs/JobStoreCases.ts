/**
 * Contract cases for `JobStore`: an inserted job is found, a commit needs the current revision and
 * lease, and a refused commit writes nothing.
 */

import { IdempotencyKey } from "@verbatim/core/idempotency"
import { type IdempotencyRecord, type Job, type JobEvent, pendingWork } from "@verbatim/core/job"
import {
  JobStore,
  leaseDuration,
  type PresetStore,
  type RetentionStore,
  type WorkQueue,
  WorkspaceStore
} from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Option, Result } from "effect"
import {
  attemptStarted,
  awkwardTexts,
  balances,
  claimIds,
  claimJobs,
  commitJob,
  commitOf,
  creation,
  credit,
  deliveryStarted,
  failures,
  findJob,
  foundingMillis,
  fullLanes,
  givenUp,
  insertJob,
  instant,
  jobId,
  later,
  leaseToken,
  longText,
  makeFinishedJob,
  makeFullJob,
  makePendingJob,
  makeUploadJob,
  media,
  onDelivery,
  onNotice,
  onSummary,
  readWholeJob,
  renewLeases,
  request,
  retryScheduled,
  startJob,
  storeTime,
  transcriptProduced,
  transcriptWarned,
  upTo,
  withWorkspace,
  workspaceId
} from "../../../samples/index.ts"
import { advance, atOnce, type Cases, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { randomCallers } from "../RandomCallers.ts"
import { changeCases } from "./JobStoreFeed.ts"
import { ledgers, usage } from "./JobStoreLedgers.ts"
import { limitCases, lists, media as mediaCases } from "./JobStoreLists.ts"
import {
  bodies,
  everything,
  peakCases,
  pieceCases,
  searches,
  transcripts
} from "./JobStoreTexts.ts"

type Ports = JobStore | PresetStore | RetentionStore | WorkQueue | WorkspaceStore

const byId = (one: Job | null, other: Job | null): number =>
  (one?.id ?? "") < (other?.id ?? "") ? -1 : 1

const creations: Cases<Ports> = workspaceCases(JobStore, {
  *"finds an inserted job only in its own workspace"(store) {
    const jobs = [yield* insertJob(makeUploadJob(1)), yield* insertJob(makeFullJob(2))]
    for (const job of jobs) {
      yield* findJob(job.id).pipe(Expect.gives("the job is found", Option.some(job)))
      yield* store
        .find(workspaceId(2), job.id)
        .pipe(Expect.gives("another workspace has no such job", Option.none()))
    }
    yield* findJob(jobId(3)).pipe(Expect.gives("an unknown id has no job", Option.none()))
  },
  *"refuses to insert an existing id, and changes nothing"(store) {
    yield* insertJob(makeUploadJob(1))
    yield* claimIds(leaseToken(1))
    const before = yield* readWholeJob(jobId(1))
    yield* Expect.refuses(store.insert(creation(makeFullJob(1))), "Superseded")
    yield* Expect.refuses(
      store.insert({ ...creation(makeUploadJob(1)), work: Option.none() }),
      "Superseded"
    )
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("the first job is as it was", before))
    yield* renewLeases(leaseToken(1), [jobId(1)]).pipe(
      Expect.gives("the first job's lease is unchanged", [jobId(1)])
    )
  }
})

const histories: Cases<Ports> = workspaceCases(JobStore, {
  *"returns copies of the history, and stores copies of events"(store) {
    const job = yield* insertJob(makeUploadJob(1))
    const before = yield* store.history(jobId(1))
    const events = [attemptStarted()]
    yield* commitJob(job, { events })
    // The caller changes its list after the call. The stored events must stay the same.
    events.push(transcriptProduced())
    yield* Expect.that("the history read before has one entry", before.length).is(1)
    yield* Expect.that(
      "the stored entry has the committed events",
      (yield* store.history(jobId(1))).at(-1)?.events
    ).is([attemptStarted()])
  },
  *"finds the jobs that exist among several ids, in any workspace"(store) {
    const waiting = yield* insertJob(makeUploadJob(1))
    const elsewhere = yield* insertJob({ ...makeFullJob(2), workspaceId: workspaceId(2) })
    const running = yield* startJob(3)
    const ended = yield* insertJob(makeFinishedJob(4))
    const failing = yield* startJob(5)
    const failed = yield* commitJob(failing, { events: [givenUp({ _tag: "AudioMissing" })] })
    yield* insertJob(makeUploadJob(6))
    yield* store.remove(workspaceId(1), jobId(6))
    // As many ids as one media listing can return. Most have no job.
    const present = yield* store.present(upTo(5_000).map(jobId))
    yield* Expect.that(
      "each existing job, and no missing one",
      [...present.values()].map(Option.getOrNull).sort(byId)
    ).is([waiting, elsewhere, running, ended, failed])
    yield* Expect.that("only the requested ones", [
      ...(yield* store.present([jobId(2), jobId(7)])).keys()
    ]).is([jobId(2)])
    yield* Expect.that("removing none removes nothing", (yield* store.present([])).size).is(0)
  }
})

const at = instant

/** A job's whole life: each kind of work runs once, and one attempt fails. */
const life: ReadonlyArray<JobEvent> = [
  attemptStarted(),
  { _tag: "Transcription", event: { _tag: "MediaStored", at, media: media(1) } },
  attemptStarted(),
  transcriptWarned(),
  onSummary({ _tag: "AttemptStarted", at }),
  onSummary({ _tag: "AttemptReleased", at }),
  onSummary({ _tag: "AttemptStarted", at }),
  onSummary({ _tag: "SummaryProduced", at, type: "brief", text: longText(100_000) }),
  onDelivery({ _tag: "AttemptStarted", at, frozen: { balanceMillis: -7 } }),
  onDelivery({
    ...{ _tag: "RetryScheduled", at, dueAt: later(60_000) },
    failure: { _tag: "ReceiverRefused", status: 503 }
  }),
  onDelivery({ _tag: "AttemptStarted", at, frozen: { balanceMillis: 8 } }),
  onDelivery({ _tag: "ReceiverAccepted", at, status: 202 }),
  onNotice({ _tag: "AttemptStarted", at }),
  onNotice({
    ...{ _tag: "RetryScheduled", at, dueAt: later(60_000) },
    failure: { _tag: "ListenerFailed", detail: "it took too long" }
  }),
  onNotice({ _tag: "AttemptStarted", at }),
  onNotice({ _tag: "ListenerReturned", at })
]

/** Commits an event, and fails unless the store returns the same job and event. */
const expectKept = Effect.fnUntraced(function* (job: Job, event: JobEvent) {
  const next = yield* commitJob(job, { events: [event] })
  const whole = yield* readWholeJob(next.id)
  yield* Expect.that("the job is the one committed", whole.job).is(Option.some(next))
  yield* Expect.that("the history has the event committed", whole.history.at(-1)?.events).is([
    event
  ])
  return next
})

/** Cases about the values of stored jobs. */
const values: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"keeps a job unchanged in every state"() {
    let job: Job = yield* insertJob(makeFullJob(1))
    for (const event of life) job = yield* expectKept(job, event)
  },
  *"keeps every kind of failure unchanged"() {
    for (const [index, failure] of failures.entries()) {
      const job = yield* insertJob(makeUploadJob(index + 1))
      yield* expectKept(yield* commitJob(job, { events: [attemptStarted()] }), givenUp(failure))
    }
  },
  *"keeps every text in a request unchanged"() {
    const texts = [...awkwardTexts, longText(100_000)]
    for (const [index, text] of texts.entries()) {
      const job = yield* insertJob(
        makeUploadJob(index + 1, {
          request: {
            ...request,
            source: { _tag: "Upload", filename: text },
            initialPrompt: text,
            callbackId: text,
            template: text,
            keywords: [text, "other"]
          }
        })
      )
      const { job: stored } = yield* readWholeJob(jobId(index + 1))
      yield* Expect.that("the job is unchanged", stored).is(Option.some(job))
    }
  }
})

const record = (
  number: number,
  overrides: { readonly key?: string; readonly at?: DateTime.Utc } = {}
): IdempotencyRecord => ({
  key: IdempotencyKey.make(overrides.key ?? "order-1"),
  fingerprint: `${number}`.padStart(64, "0"),
  jobId: jobId(number),
  at: overrides.at ?? instant
})

const submit = (made: IdempotencyRecord, workspace = 1) =>
  JobStore.use((store) => {
    const job = { ...makeUploadJob(1, { workspaceId: workspaceId(workspace) }), id: made.jobId }
    return store.insert(creation(job, made))
  })

const findRecord = (key = "order-1", workspace = 1) =>
  JobStore.use((store) => store.idempotency(workspaceId(workspace), IdempotencyKey.make(key)))

const idempotency: Cases<Ports> = workspaceCases(JobStore, {
  *"distinguishes idempotency keys that differ in spelling or workspace"() {
    yield* submit(record(1))
    const others = [
      submit(record(2, { key: "Order-1" })),
      submit(record(3, { key: "order-1/" })),
      submit(record(4), 2)
    ]
    yield* Expect.that("each request is the first with its key", yield* Effect.all(others)).is([
      Option.none(),
      Option.none(),
      Option.none()
    ])
    yield* Expect.that("another workspace has its own record", yield* findRecord("order-1", 2)).is(
      Option.some(record(4))
    )
  },
  *"frees an idempotency key after exactly 24 hours, even if the clock was set back"() {
    const [day, moment] = [Duration.hours(24), Duration.millis(1)]
    const offsets = [
      [Duration.subtract(day, moment), "taken"],
      [day, "free"],
      [Duration.subtract(moment, day), "taken"],
      [Duration.negate(day), "free"]
    ] as const
    for (const [index, [offset, state]] of offsets.entries()) {
      const key = `order-${index}`
      const first = record(2 * index + 1, { key })
      const second = record(2 * index + 2, { key, at: DateTime.addDuration(instant, offset) })
      yield* submit(first)
      const earlier = state === "taken" ? Option.some(first) : Option.none()
      yield* Expect.that(`it is ${state}`, yield* submit(second)).is(earlier)
      yield* Expect.that("the key's record", yield* findRecord(key)).is(
        Option.some(state === "taken" ? first : second)
      )
    }
  },
  *"gives each of many concurrent requests its own answer, with and without keys"(store) {
    const keys = ["order-1", "order-2", "order-3"]
    yield* submit(record(91, { key: "order-2" }))
    // The jobs alternate between a shared key, their own key, and no key.
    const made = upTo(25).map((number) => {
      const key = keys[number % 5] ?? `own-${number}`
      return { key, record: number % 5 === 4 ? undefined : record(number, { key }) }
    })
    const answers = yield* atOnce(made, ({ record }, index) =>
      store.insert(creation(makeUploadJob(index + 1), record))
    )
    const firsts = yield* Effect.forEach(keys, (key) => findRecord(key))
    yield* Expect.that("each request returns the first record of its key, or none", answers).is(
      made.map(({ key, record }) => {
        const first = firsts[keys.indexOf(key)] ?? Option.none()
        const isFirst = Option.exists(first, ({ jobId }) => jobId === record?.jobId)
        return record === undefined || isFirst ? Option.none() : first
      })
    )
    yield* Expect.that("an existing key keeps its record", yield* findRecord("order-2")).is(
      Option.some(record(91, { key: "order-2" }))
    )
    const written = [...answers.flatMap((answer, n) => (Option.isNone(answer) ? [n + 1] : [])), 91]
    yield* Expect.that(
      "exactly the requests without an earlier record have a job",
      (yield* claimIds(leaseToken(1))).toSorted()
    ).is(written.map(jobId).toSorted())
  }
})

const [first, second] = [leaseToken(1), leaseToken(2)]

/** Inserts a job, and starts its first attempt under the first lease token. */
const runningJob = withWorkspace(function* () {
  const job = yield* insertJob(makeUploadJob(1))
  yield* claimIds(first)
  return yield* commitJob(job, { events: [attemptStarted()], token: first, isLeaseKept: true })
})

/** Fails unless a commit is refused and changes nothing about the job. */
const expectRefused = Effect.fnUntraced(function* (commit: ReturnType<typeof commitOf>) {
  const store = yield* JobStore
  const before = yield* readWholeJob(commit.next.id)
  yield* Expect.refuses(store.commit(commit), "Superseded")
  yield* readWholeJob(commit.next.id).pipe(Expect.gives("nothing was written", before))
})

const fencingCases: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"refuses a commit based on an outdated revision, and writes nothing"() {
    const job = yield* insertJob(makeUploadJob(1))
    const next = yield* commitJob(job, { events: [attemptStarted()] })
    yield* expectRefused(commitOf(job, { events: [attemptStarted()] }))
    yield* expectRefused(commitOf({ ...next, revision: job.revision }, everything))
    yield* expectRefused(commitOf({ ...next, revision: next.revision + 1 }, everything))
    yield* claimIds(first).pipe(Expect.gives("the work is still there", [jobId(1)]))
    const unknown = { events: [attemptStarted()], chargeMillis: 1 }
    yield* expectRefused(commitOf(makeUploadJob(2), unknown))
  },
  *"gives each of many concurrent commits to one job its own answer"(store) {
    const older = yield* runningJob
    yield* advance(leaseDuration)
    yield* claimIds(second)
    const job = yield* commitJob(older, {
      events: [retryScheduled(instant), attemptStarted()],
      token: second,
      isLeaseKept: true
    })
    const before = yield* readWholeJob(job.id)
    const outcomes = yield* atOnce(
      [
        commitOf(job, { ...everything, token: first }),
        commitOf(older, { ...everything, token: second }),
        commitOf(job, { events: [retryScheduled(later(1))], token: second }),
        commitOf(job, { ...everything, token: leaseToken(3) }),
        commitOf({ ...job, revision: job.revision + 1 }, { ...everything, token: second })
      ],
      (commit) => Effect.result(store.commit(commit))
    )
    yield* Expect.that(
      "only the holder's commit succeeds",
      outcomes.map((outcome) =>
        Result.isSuccess(outcome) ? "written" : outcome.failure.reason._tag
      )
    ).is(["Superseded", "Superseded", "written", "Superseded", "Superseded"])
    const { history, job: _, ...rest } = yield* readWholeJob(job.id)
    const { history: earlier, job: __, ...same } = before
    yield* Expect.that(
      "the last entry is the holder's",
      history.slice(earlier.length).map(({ token }) => token)
    ).is([Option.some(second)])
    yield* Expect.that("nothing else is written", rest).is(same)
  },
  *"accepts the token of an expired lease if no other claim has taken the job"() {
    const job = yield* runningJob
    yield* advance(leaseDuration)
    yield* commitJob(job, { ...everything, token: first })
  }
})

const workCases: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"writes a commit's pending work with its kind, due time and lane"() {
    const uploadedJob = makeUploadJob(1, {
      summary: makeFullJob(1).summary,
      delivery: makeFullJob(1).delivery
    })
    const running = yield* commitJob(yield* insertJob(uploadedJob), {
      events: [attemptStarted()]
    })
    const summarizing = yield* commitJob(running, { events: [transcriptProduced()] })
    yield* claimIds(first, { kinds: ["Fetch", "Transcribe", "Deliver"] }).pipe(
      Expect.gives("the transcription's work is gone", [])
    )
    const skipped = onSummary({
      _tag: "SummarySkipped",
      at: instant,
      reason: "transcript too short"
    })
    const delivering = yield* commitJob(summarizing, { events: [skipped] })
    const { lane } = Option.getOrThrow(pendingWork(delivering))
    yield* claimIds(first, { kinds: ["Deliver"], lanes: fullLanes([lane ?? "none"]) }).pipe(
      Expect.gives("the webhook is pending in the lane of its receiver", [])
    )
    yield* claimJobs(first, { kinds: ["Deliver"] }).pipe(
      Expect.gives("the work is that of the last commit", [delivering])
    )
  },
  *"returns the time of the clock that decides when work is due"(store) {
    const before = yield* storeTime
    const now = yield* store.now
    const after = yield* storeTime
    const isBetween = DateTime.between(now, { minimum: before, maximum: after })
    yield* Expect.holds("the time comes from the queue's clock", isBetween)
    yield* insertJob(makePendingJob(1, { kind: "Transcribe", dueAt: yield* store.now }))
    yield* claimIds(first).pipe(Expect.gives("work due by then is handed out", [jobId(1)]))
  },
  *"does not extend a lease when a commit keeps the lease"() {
    const job = yield* insertJob(makeUploadJob(1, { delivery: makeFullJob(1).delivery }))
    yield* claimIds(first)
    yield* advance(Duration.seconds(20))
    const kept = { token: first, isLeaseKept: true }
    const running = yield* commitJob(job, { events: [attemptStarted()], ...kept })
    const delivering = yield* commitJob(running, { events: [transcriptProduced()], ...kept })
    yield* commitJob(delivering, { events: [deliveryStarted(1)], ...kept })
    yield* advance(Duration.seconds(10))
    yield* claimIds(second).pipe(
      Expect.gives("the lease ends as if there had been no commit", [jobId(1)])
    )
  }
})

const afterCharge = (millis: number) => ({
  balance: foundingMillis - millis,
  sum: foundingMillis - millis
})

const charges: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"books every one of many concurrent charges and credits"(store) {
    const workspaces = yield* WorkspaceStore
    // The charge exceeds the balance, which becomes negative.
    yield* workspaces.credit(credit(99, -foundingMillis - 1_000_000))
    const jobs = yield* Effect.forEach(upTo(24), (number) => insertJob(makeUploadJob(number)))
    const changes: ReadonlyArray<Effect.Effect<unknown, unknown>> = jobs.flatMap((job, index) => [
      store.commit(commitOf(job, { events: [attemptStarted()], chargeMillis: index + 1 })),
      workspaces.credit(credit(100 + index, 1_000))
    ])
    yield* atOnce(changes, (each) => each)
    yield* Expect.that("balance and ledger contain all", yield* balances).is(
      afterCharge(foundingMillis + 1_000_000 + (24 * 25) / 2 - 24_000)
    )
  }
})

export const contract: Contract<Ports> = {
  port: "JobStore",
  cases: [
    ...creations,
    ...histories,
    ...fencingCases,
    ...idempotency,
    ...lists,
    ...searches,
    ...workCases,
    ...transcripts,
    ...bodies,
    ...peakCases,
    ...pieceCases,
    ...charges,
    ...usage,
    ...ledgers,
    ...changeCases,
    ...limitCases,
    ...values,
    ...mediaCases,
    ...randomCallers
  ]
}
