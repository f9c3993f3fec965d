/** Contract cases for `RetentionStore`. */

import type { JobId } from "@verbatim/core/attempt"
import { type Cutoffs, jobEnd } from "@verbatim/core/job"
import {
  type EndedQuery,
  type ExpiredCounts,
  JobStore,
  RetentionStore,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Option } from "effect"
import {
  attemptStarted,
  claimIds,
  commitJob,
  foundWorkspace,
  givenUp,
  insertJob,
  instant,
  jobId,
  later,
  leaseToken,
  makeFullJob,
  makeOldJob,
  makePendingJob,
  makeUploadJob,
  onRetention,
  readWholeJob,
  renewLeases,
  startJob,
  transcribeJob,
  transcript,
  transcriptProduced,
  upTo,
  workspaceId
} from "../../samples/index.ts"
import { advance, atOnce, type Cases, type Contract, workspaceCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import { everything, noText } from "./jobs/JobStoreTexts.ts"

type Ports = JobStore | RetentionStore | WorkQueue | WorkspaceStore

const locks: Cases<Ports> = workspaceCases(RetentionStore, {
  *"grants the lock to one of many callers until the lock is released or expires"(store) {
    const hold = Duration.minutes(10)
    const take = (holder: string) => store.acquireLock({ holder, hold })
    const grants = yield* atOnce(upTo(8), (number) => take(`holder ${number}`))
    yield* Expect.that("one holder has it", grants.filter(Boolean).length).is(1)
    const holder = `holder ${grants.indexOf(true) + 1}`
    yield* take("another").pipe(Expect.gives("no other holder gets it", false))
    yield* advance(Duration.minutes(6))
    yield* take(holder).pipe(Expect.gives("its holder renews it", true))
    yield* advance(Duration.minutes(6))
    yield* take("another").pipe(Expect.gives("while the holder renews it", false))
    yield* advance(Duration.minutes(5))
    yield* take("another").pipe(Expect.gives("then it is free", true))
    yield* store.releaseLock({ holder, pause: Duration.zero })
    yield* take(holder).pipe(Expect.gives("only its holder can release it", false))
    yield* store.releaseLock({ holder: "another", pause: Duration.minutes(30) })
    yield* take("another").pipe(Expect.gives("no holder gets it during the pause", false))
    yield* advance(Duration.minutes(31))
    yield* take(holder).pipe(Expect.gives("the lock is free afterwards", true))
  }
})

const days = (count: number): DateTime.Utc => DateTime.add(instant, { days: count })

const none: ExpiredCounts = { jobs: 0, transcripts: 0, media: 0, oldest: Option.none() }

const cutoffs = { media: days(8), transcript: days(6), job: days(3) }

/**
 * Inserts jobs that ended on different days and have different content; the last job failed
 * immediately.
 */
const addJobs = Effect.gen(function* () {
  yield* foundWorkspace(2)
  const jobs = [
    makeOldJob(1, { at: days(1), holding: "Media" }),
    makeOldJob(2, { at: days(2) }),
    makeOldJob(3, { at: days(3), holding: "Nothing" }),
    makeOldJob(4, { at: days(4), holding: "Nothing" }),
    makeOldJob(5, { at: days(5) }),
    makeOldJob(6, { at: days(6), holding: "Media" }),
    makeOldJob(7, { at: days(7), holding: "Media" }),
    makeOldJob(8, { at: days(8) }),
    makeOldJob(9, { at: days(9), holding: "Media" }),
    makeUploadJob(10),
    { ...makeOldJob(11), workspaceId: workspaceId(2) }
  ]
  yield* Effect.forEach(jobs, insertJob)
  const failing = yield* startJob(12)
  yield* commitJob(failing, { events: [givenUp({ _tag: "AudioMissing" })] })
  return jobs
})

const overdue = (query: Partial<EndedQuery>, given: Partial<Cutoffs> = {}) =>
  Effect.flatMap(RetentionStore, (store) =>
    store.countExpired(
      {
        workspaceId: workspaceId(1),
        holding: "Media",
        until: days(8),
        after: Option.none(),
        limit: 100,
        ...query
      },
      { ...cutoffs, ...given }
    )
  )

const previews: Cases<Ports> = workspaceCases(RetentionStore, {
  *"previews expired jobs, grouped by the data that the jobs still hold, and changes nothing"() {
    yield* addJobs
    const last = Option.none()
    // The failed job ended immediately, so it is deleted as a whole.
    yield* overdue({}).pipe(
      Expect.gives("of jobs with media: whole ones, and files and transcripts of others", {
        ...{ jobs: 2, transcripts: 1, media: 2, oldest: Option.some(instant) },
        last
      })
    )
    yield* overdue({ holding: "Transcript", until: days(6) }).pipe(
      Expect.gives("of jobs with a transcript", {
        ...{ jobs: 1, transcripts: 1, media: 0, oldest: Option.some(days(2)) },
        last
      })
    )
    yield* overdue({ holding: "Nothing", until: days(3) }).pipe(
      Expect.gives("of jobs that hold nothing", {
        ...{ jobs: 1, transcripts: 0, media: 0, oldest: Option.some(days(3)) },
        last
      })
    )
    yield* overdue({}, { job: null }).pipe(
      Expect.gives("a failed job has a file and no transcript", {
        ...{ jobs: 0, transcripts: 2, media: 4, oldest: Option.some(instant) },
        last
      })
    )
    yield* overdue({ workspaceId: workspaceId(3) }).pipe(
      Expect.gives("nothing of another workspace", { ...none, last })
    )
  },
  *"previews expired jobs page by page"() {
    yield* addJobs
    const first = yield* overdue({ limit: 2 })
    const second = yield* overdue({ limit: 2, after: first.last })
    const third = yield* overdue({ limit: 2, after: second.last })
    yield* Expect.that("each job once, with the cursor of the next page", [
      first,
      second,
      third
    ]).is([
      {
        ...{ jobs: 2, transcripts: 0, media: 0, oldest: Option.some(instant) },
        last: Option.some({ at: days(1), id: jobId(1) })
      },
      {
        ...{ jobs: 0, transcripts: 1, media: 2, oldest: Option.some(days(6)) },
        last: Option.some({ at: days(7), id: jobId(7) })
      },
      { ...none, last: Option.none() }
    ])
  }
})

const ended = (query: Partial<EndedQuery> = {}) =>
  Effect.flatMap(RetentionStore, (store) =>
    store.ended({
      workspaceId: workspaceId(1),
      holding: "Transcript",
      until: later(1_000),
      after: Option.none(),
      limit: 100,
      ...query
    })
  )

const ids = (found: ReadonlyArray<{ readonly id: JobId }>) => found.map(({ id }) => id)

const looks: Cases<Ports> = workspaceCases(RetentionStore, {
  *"finds ended jobs by the data that they still hold, starting with the job that ended first"() {
    const jobs = [
      makeOldJob(1, { at: later(30) }),
      makeOldJob(3, { at: later(10) }),
      makeOldJob(2, { at: later(10) }),
      makeOldJob(4, { at: later(20), holding: "Media" }),
      makeOldJob(5, { at: later(5), holding: "Nothing" }),
      makeUploadJob(6),
      makePendingJob(7, { kind: "Deliver", dueAt: instant }),
      { ...makeOldJob(8), workspaceId: workspaceId(2) },
      makeOldJob(9, { at: later(31) })
    ]
    yield* Effect.forEach(jobs, insertJob)
    const until = later(30)
    const found = yield* ended({ until })
    yield* Expect.that(
      "jobs with a transcript, with their ends",
      found.map(({ at, id }) => [id, at])
    ).is([
      [jobId(2), later(10)],
      [jobId(3), later(10)],
      [jobId(1), later(30)]
    ])
    yield* Expect.that(
      "unchanged",
      found.map(({ job }) => job)
    ).is([2, 1, 0].map((index) => Option.fromUndefinedOr(jobs[index])))
    yield* Expect.that("jobs with media", ids(yield* ended({ until, holding: "Media" }))).is([
      jobId(4)
    ])
    yield* Expect.that("jobs with neither", ids(yield* ended({ until, holding: "Nothing" }))).is([
      jobId(5)
    ])
  },
  *"finds ended jobs page by page, each page after the previous one's cursor"() {
    yield* Effect.forEach(upTo(7), (number) =>
      insertJob(makeOldJob(number, { at: later(number < 5 ? 10 : 20) }))
    )
    const first = yield* ended({ limit: 3 })
    const second = yield* ended({ limit: 3, after: Option.fromUndefinedOr(first.at(-1)) })
    const third = yield* ended({ limit: 3, after: Option.fromUndefinedOr(second.at(-1)) })
    yield* Expect.that("each job once, in order", [first, second, third].map(ids)).is([
      [1, 2, 3].map(jobId),
      [4, 5, 6].map(jobId),
      [jobId(7)]
    ])
  },
  *"records a job's end in the commit that ends the job, and clears the record on a retry"() {
    const begun = yield* commitJob(yield* insertJob(makeFullJob(1)), {
      events: [attemptStarted()]
    })
    const without = { ...makeUploadJob(2), delivery: null, summary: null }
    const running = yield* commitJob(yield* insertJob(without), { events: [attemptStarted()] })
    yield* ended().pipe(Effect.map(ids), Expect.gives("nothing has ended", []))
    const done = yield* commitJob(running, {
      events: [{ ...transcriptProduced(later(7)) }],
      transcript
    })
    yield* Expect.that(
      "an older version did not record whether its media is kept",
      (yield* ended({ holding: "Media" })).map(({ at, id }) => [id, at])
    ).is([[jobId(2), later(7)]])
    yield* commitJob(done, { events: [onRetention("MediaExpired"), onRetention("MediaRemoved")] })
    yield* ended().pipe(
      Effect.map(ids),
      Expect.gives("then only its transcript is left", [jobId(2)])
    )
    const failed = yield* commitJob(begun, { events: [givenUp({ _tag: "AudioMissing" })] })
    yield* Expect.holds("its webhook is not sent", Option.isNone(jobEnd(failed).endedAt))
    yield* ended().pipe(Effect.map(ids), Expect.gives("so it has not ended", [jobId(2)]))
  }
})

const removals: Cases<Ports> = workspaceCases(RetentionStore, {
  *"removes only the given jobs and all their rows except their charges"(store) {
    const made = yield* Effect.forEach(upTo(4), (number) => transcribeJob(number, everything))
    const kept = yield* readWholeJob(jobId(4))
    const going = made.slice(0, 3).map(({ id, revision }) => ({ id, revision }))
    const elsewhere = yield* store.remove(workspaceId(2), going)
    yield* Expect.that("another workspace has none of them", elsewhere).is([])
    const removed = yield* store.remove(workspaceId(1), [
      ...going,
      { id: jobId(4), revision: 2 },
      { id: jobId(9), revision: 1 }
    ])
    yield* Expect.that("the jobs at their revisions are removed", [...removed].sort()).is(
      going.map(({ id }) => id)
    )
    const left = { ...kept, ...noText, job: Option.none(), history: [] }
    for (const { id } of going) {
      yield* readWholeJob(id).pipe(Expect.gives("only its charge is left", left))
    }
    yield* readWholeJob(jobId(4)).pipe(Expect.gives("a job at another revision remains", kept))
    yield* store
      .remove(workspaceId(1), going)
      .pipe(Expect.gives("a repeat finds nothing to remove", []))
    yield* store.remove(workspaceId(1), []).pipe(Expect.gives("removing none removes nothing", []))
  },
  *"lets either a removal or a concurrent commit on the same revision win"(store) {
    const jobs = yield* JobStore
    const made = yield* Effect.forEach(upTo(16), (number) =>
      insertJob(makeOldJob(number, { holding: "Media" }))
    )
    const events = [onRetention("MediaExpired")]
    const [removed, committed] = yield* Effect.all(
      [
        store.remove(
          workspaceId(1),
          made.map(({ id, revision }) => ({ id, revision }))
        ),
        atOnce(made, (job) => Effect.result(commitJob(job, { events })))
      ],
      { concurrency: "unbounded" }
    )
    for (const [index, { id, revision }] of made.entries()) {
      const isGone = removed.includes(id)
      yield* Expect.that("exactly one took effect", committed[index]?._tag).is(
        isGone ? "Failure" : "Success"
      )
      const found = yield* jobs.find(workspaceId(1), id)
      yield* Expect.that(
        "it is deleted, or has a later revision",
        Option.getOrNull(Option.map(found, (job) => job.revision))
      ).is(isGone ? null : revision + 1)
      yield* Expect.that("whole", (yield* jobs.history(id)).length).is(isGone ? 0 : 2)
    }
  },
  *"ends the lease of a job that it removes"(store) {
    const { id, revision } = yield* insertJob(makeUploadJob(1))
    yield* claimIds(leaseToken(1))
    yield* store.remove(workspaceId(1), [{ id, revision }])
    yield* renewLeases(leaseToken(1), [id]).pipe(Expect.gives("no lease is left", []))
  }
})

export const contract: Contract<Ports> = {
  port: "RetentionStore",
  cases: [...looks, ...removals, ...locks, ...previews]
}
