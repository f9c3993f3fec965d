/** Commands to the stores, chosen at random from few identities, so that they meet each other. */

import { applyCommit, type Job, type JobEvent } from "@verbatim/core/job"
import { JobStore, WorkQueue } from "@verbatim/core/ports"
import {
  attemptReleased,
  attemptStarted,
  claimJobs,
  commitOf,
  creation,
  deliveryStarted,
  foundPreset,
  givenUp,
  jobId,
  later,
  leaseToken,
  makeOwingJob,
  receiverAccepted,
  renewedIds,
  retryScheduled,
  roomOf,
  storedJob,
  storedWhole,
  transcript,
  transcriptProduced,
  whole
} from "@verbatim/testkit/samples"
import { Effect, Option, Result } from "effect"
import * as fc from "fast-check"

import { changesOfPresets, looksAtPresets, ofPreset } from "./PresetCommands.ts"
import { type Step, seconds, step, to } from "./Step.ts"
import { looksAtWorkspaces, ofWorkspaces } from "./WorkspaceCommands.ts"

const kinds = fc.constantFrom("Fetch", "Transcribe", "Summarize", "Deliver")
const receivers = fc.constantFrom("https://one.example.com", "https://two.example.com/in")
const maybeToken = fc.constantFrom(null, 1, 2)

/** The events that a job accepts. */
const acceptable = (job: Job, second: number): ReadonlyArray<JobEvent> =>
  [
    attemptStarted(),
    retryScheduled(later(second * 1_000)),
    transcriptProduced(),
    attemptReleased(),
    givenUp({ _tag: "AudioMissing" }),
    deliveryStarted(1),
    receiverAccepted()
  ].filter((event) => Result.isSuccess(applyCommit(job, [event])))

const commit = fc.record({
  job: to(2),
  choice: fc.integer({ min: 0, max: 6 }),
  second: seconds,
  token: maybeToken,
  isLeaseKept: fc.boolean(),
  staleness: to(5),
  isCharged: fc.boolean(),
  hasTranscript: fc.boolean()
})

const ofJobs = [
  step("insert", fc.tuple(to(2), kinds, seconds, receivers), ([n, kind, second, receiver]) =>
    Effect.flatMap(JobStore, (store) =>
      store.insert(creation(makeOwingJob(n, { kind, dueAt: later(second * 1_000), receiver })))
    )
  ),
  step("commit", commit, (given) =>
    Effect.gen(function* () {
      const job = yield* storedJob(jobId(given.job))
      if (Option.isNone(job)) return "none"
      const events = acceptable(job.value, given.second)
      const event = events[given.choice % events.length]
      if (event === undefined) return "ended"
      const revision = job.value.revision - (given.staleness === 5 ? 1 : 0)
      const change = yield* Effect.try(() =>
        commitOf(
          { ...job.value, revision },
          {
            events: [event],
            isLeaseKept: given.token !== null && given.isLeaseKept,
            ...(given.token === null ? {} : { token: leaseToken(given.token) }),
            ...(given.isCharged ? { chargeMillis: given.job } : {}),
            ...(given.hasTranscript ? { transcript } : {})
          }
        )
      )
      return yield* (yield* JobStore).commit(change)
    })
  ),
  step("job", to(2), (n) => storedWhole(jobId(n))),
  step("present", fc.constant([1, 2, 3]), (numbers) =>
    Effect.flatMap(JobStore, (store) => store.present(numbers.map(jobId)))
  )
]

const jobIds = fc.subarray([1, 2, 3]).map((numbers) => numbers.map(jobId))

const ofQueue = [
  step("begin", to(2), (number) =>
    Effect.gen(function* () {
      const token = leaseToken(number)
      const [job] = yield* claimJobs(token, { limit: 1 })
      const event = job === undefined ? undefined : acceptable(job, 30)[0]
      if (job === undefined || event === undefined) return "nothing"
      const store = yield* JobStore
      yield* store.commit(commitOf(job, { events: [event], token, isLeaseKept: true }))
      return yield* renewedIds(token, [job.id])
    })
  ),
  step(
    "claim",
    fc.tuple(
      to(2),
      fc.subarray(["Fetch", "Transcribe", "Summarize", "Deliver"] as const, { minLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
      fc.record({
        max: fc.integer({ min: 1, max: 2 }),
        taken: fc.dictionary(
          fc.constantFrom("https://one.example.com", "https://two.example.com"),
          to(2)
        )
      })
    ),
    ([token, kinds, limit, lanes]) =>
      Effect.flatMap(WorkQueue, (queue) =>
        Effect.map(
          queue.claim({ token: leaseToken(token), ...roomOf({ kinds, limit, lanes }) }),
          ({ hasMore, jobs }) => ({ hasMore, jobs })
        )
      )
  ),
  step("renew", fc.tuple(to(2), jobIds), ([token, ids]) => renewedIds(leaseToken(token), ids)),
  step("release", fc.tuple(to(2), jobIds), ([token, ids]) =>
    Effect.flatMap(WorkQueue, (queue) =>
      queue.release(ids.map((id) => ({ jobId: id, token: leaseToken(token) })))
    )
  )
]

/** Any command. Those that change something come more often, those that need them most. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(...ofWorkspaces) },
  { weight: 4, arbitrary: fc.oneof(...changesOfPresets) },
  { weight: 2, arbitrary: fc.oneof(...looksAtPresets) },
  { weight: 6, arbitrary: fc.oneof(...ofJobs) },
  { weight: 4, arbitrary: fc.oneof(...ofQueue) }
)

/** What is asked after the last command: everything. */
export const wholeState: ReadonlyArray<Step> = [
  ...["a", "A"].flatMap((text) => [
    { shown: `preset ${text}`, run: () => foundPreset(text) },
    {
      shown: `versions ${text}`,
      run: () => ofPreset(text, (store, id) => store.versions(id, whole))
    },
    {
      shown: `designations ${text}`,
      run: () => ofPreset(text, (store, id) => store.designations(id, whole))
    }
  ]),
  ...[1, 2].map((n) => ({ shown: `job ${n}`, run: () => storedWhole(jobId(n)) })),
  ...looksAtWorkspaces,
  { shown: "claim everything", run: () => claimJobs(leaseToken(3)) }
]
