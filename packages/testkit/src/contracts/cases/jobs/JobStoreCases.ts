/**
 * The promises of a `JobStore`: what is inserted is found, and what is committed has a history.
 */

import { applyCommit, type Job, type JobEvent } from "@verbatim/core/job"
import {
  JobStore,
  type RetentionStore,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Effect, Option, Result } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  attemptReleased,
  attemptStarted,
  givenUp,
  retryScheduled,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import {
  creation,
  makeFinishedJob,
  makeFullJob,
  makeUploadJob
} from "../../../samples/SampleJob.ts"
import { instant, later } from "../../../samples/SampleWorkspace.ts"
import {
  claimIds,
  commitJob,
  insertJob,
  renewedIds,
  storedJob,
  storedWhole
} from "../../../samples/Stored.ts"
import { atOnce, type Case, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { bodies } from "./JobStoreBodies.ts"
import { changeCases } from "./JobStoreChanges.ts"
import { charges } from "./JobStoreCharges.ts"
import { fencingCases } from "./JobStoreFencing.ts"
import { idempotency } from "./JobStoreIdempotency.ts"
import { ledgers } from "./JobStoreLedgers.ts"
import { lists } from "./JobStoreLists.ts"
import { media } from "./JobStoreMedia.ts"
import { parts } from "./JobStoreParts.ts"
import { peakCases } from "./JobStorePeaks.ts"
import { roomCases } from "./JobStoreRoom.ts"
import { transcripts } from "./JobStoreTranscripts.ts"
import { usage } from "./JobStoreUsage.ts"
import { values } from "./JobStoreValues.ts"
import { workCases } from "./JobStoreWork.ts"

type Ports = JobStore | RetentionStore | WorkQueue | WorkspaceStore

const byId = (one: Job | null, other: Job | null): number =>
  (one?.id ?? "") < (other?.id ?? "") ? -1 : 1

const creations: ReadonlyArray<Case<Ports>> = workspaceCases(JobStore, {
  *"finds what was inserted, in its workspace only"(store) {
    const jobs = [yield* insertJob(makeUploadJob(1)), yield* insertJob(makeFullJob(2))]
    for (const job of jobs) {
      yield* storedJob(job.id).pipe(Expect.gives("the job is found", Option.some(job)))
      yield* Expect.that(
        "another workspace has no such job",
        yield* store.find(workspaceId(2), job.id)
      ).is(Option.none())
    }
    yield* storedJob(jobId(3)).pipe(Expect.gives("an unknown id has no job", Option.none()))
  },
  *"begins the history with the creation"(store) {
    yield* insertJob(makeUploadJob(1, { acceptedAt: later(7) }))
    yield* Expect.that(
      "the first entry has no events and no lease",
      yield* store.history(jobId(1))
    ).is([{ revision: 1, at: later(7), events: [], token: Option.none() }])
    yield* store.history(jobId(2)).pipe(Expect.gives("an unknown job has no history", []))
  },
  *"refuses to insert an id again, and changes nothing"(store) {
    yield* insertJob(makeUploadJob(1))
    yield* claimIds(leaseToken(1))
    const before = yield* storedWhole(jobId(1))
    yield* Expect.refuses(store.insert(creation(makeFullJob(1))), "Superseded")
    yield* Expect.refuses(
      store.insert({ ...creation(makeUploadJob(1)), work: Option.none() }),
      "Superseded"
    )
    yield* storedWhole(jobId(1)).pipe(Expect.gives("the first job is as it was", before))
    yield* Expect.that("and so is its lease", yield* renewedIds(leaseToken(1), [jobId(1)])).is([
      jobId(1)
    ])
  },
  *"lets one of many inserts of one id win"(store) {
    const insert = (number: number) =>
      Effect.result(store.insert(creation(makeUploadJob(1, { acceptedAt: later(number) }))))
    const outcomes = yield* atOnce(upTo(8), insert)
    yield* Expect.that("one has won", outcomes.filter(Result.isSuccess).length).is(1)
    yield* Expect.that("its history is one line long", (yield* store.history(jobId(1))).length).is(
      1
    )
    yield* claimIds(leaseToken(1)).pipe(Expect.gives("its work is there once", [jobId(1)]))
  }
})

/** The ways of an attempt, so that the history holds every kind of event. */
const steps: ReadonlyArray<ReadonlyArray<JobEvent>> = [
  [attemptStarted(later(1))],
  [attemptReleased(later(2))],
  [attemptStarted(later(3))],
  [retryScheduled(later(9))],
  [attemptStarted(later(9)), transcriptProduced(later(10))]
]

const histories: ReadonlyArray<Case<Ports>> = workspaceCases(JobStore, {
  *"keeps every commit in the history, which folds to the stored job"(store) {
    const first = yield* insertJob(makeUploadJob(1))
    let job: Job = first
    for (const [index, events] of steps.entries()) {
      job = yield* commitJob(job, { events, at: later(index) })
    }
    const history = yield* store.history(jobId(1))
    yield* Expect.that("the entries are those committed, oldest first", history.slice(1)).is(
      steps.map((events, index) => ({
        revision: index + 2,
        at: later(index),
        events,
        token: Option.none()
      }))
    )
    const folded = history
      .slice(1)
      .reduce((next, { events }) => Result.getOrThrow(applyCommit(next, events)), first)
    yield* Expect.that("the stored job follows from them", yield* storedJob(jobId(1))).is(
      Option.some(folded)
    )
  },
  *"keeps the histories of jobs apart"(store) {
    const jobs = yield* Effect.forEach(upTo(3), (number) => insertJob(makeUploadJob(number)))
    yield* Effect.forEach(jobs, (job, index) =>
      commitJob(job, { events: [attemptStarted(later(index))], at: later(index) })
    )
    for (const [index, { id }] of jobs.entries()) {
      yield* Expect.that(
        "it holds the job's own commit",
        (yield* store.history(id)).map(({ at }) => at)
      ).is([instant, later(index)])
    }
  },
  *"leaves what was given and what was read as it was"(store) {
    const job = yield* insertJob(makeUploadJob(1))
    const before = yield* store.history(jobId(1))
    const events = [attemptStarted()]
    yield* commitJob(job, { events })
    // Whoever passed the list may go on using it.
    events.push(transcriptProduced())
    yield* Expect.that("the history read before has one entry", before.length).is(1)
    yield* Expect.that(
      "the stored entry holds what was committed",
      (yield* store.history(jobId(1))).at(-1)?.events
    ).is([attemptStarted()])
  },
  *"shows the jobs that are there, of whatever workspace"(store) {
    const waiting = yield* insertJob(makeUploadJob(1))
    const elsewhere = yield* insertJob({ ...makeFullJob(2), workspaceId: workspaceId(2) })
    const running = yield* commitJob(yield* insertJob(makeUploadJob(3)), {
      events: [attemptStarted()]
    })
    const ended = yield* insertJob(makeFinishedJob(4))
    const failing = yield* commitJob(yield* insertJob(makeUploadJob(5)), {
      events: [attemptStarted()]
    })
    const failed = yield* commitJob(failing, { events: [givenUp({ _tag: "AudioMissing" })] })
    yield* insertJob(makeUploadJob(6))
    yield* store.remove(workspaceId(1), jobId(6))
    // As many as a listing of media may bring, most of them unknown.
    const present = yield* store.present(upTo(5_000).map(jobId))
    yield* Expect.that(
      "each as it is, and nothing of those that are not",
      [...present.values()].map(Option.getOrNull).sort(byId)
    ).is([waiting, elsewhere, running, ended, failed])
    yield* Expect.that("only those that were asked for", [
      ...(yield* store.present([jobId(2), jobId(7)])).keys()
    ]).is([jobId(2)])
    yield* Expect.that("none are none", (yield* store.present([])).size).is(0)
  }
})

/** All of them. */
export const contract: Contract<Ports> = {
  port: "JobStore",
  cases: [
    ...creations,
    ...histories,
    ...fencingCases,
    ...idempotency,
    ...lists,
    ...workCases,
    ...transcripts,
    ...bodies,
    ...parts,
    ...peakCases,
    ...charges,
    ...usage,
    ...ledgers,
    ...changeCases,
    ...roomCases,
    ...values,
    ...media
  ]
}
