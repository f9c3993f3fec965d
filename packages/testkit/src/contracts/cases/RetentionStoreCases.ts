/** Contract cases for `RetentionStore`. */

import type { JobId } from "@verbatim/core/attempt"
import { type Cutoffs, type Holding, type Job, type JobPosition, jobEnd } from "@verbatim/core/job"
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
    const holder = `holder ${yield* Expect.oneWins("one holder has the lock", grants)}`
    yield* take("another").pipe(Expect.gives("no other holder gets it", false))
    yield* advance(Duration.minutes(6))
    yield* take(holder).pipe(Expect.gives("the holder renews the lock", true))
    yield* advance(Duration.minutes(6))
    yield* take("another").pipe(Expect.gives("while the holder renews it", false))
    yield* advance(Duration.minutes(5))
    yield* take("another").pipe(Expect.gives("the lock is free once it has expired", true))
    yield* store.releaseLock({ holder, pause: Duration.zero })
    yield* take(holder).pipe(Expect.gives("only its holder can release it", false))
    yield* store.releaseLock({ holder: "another", pause: Duration.minutes(30) })
    yield* take("another").pipe(Expect.gives("no holder gets it during the pause", false))
    yield* advance(Duration.minutes(31))
    yield* take(holder).pipe(Expect.gives("the lock is free afterwards", true))
  }
})

const days = (count: number): DateTime.Utc => DateTime.add(instant, { days: count })

/** A job that has ended, and the content that it still has. */
interface Ended {
  readonly owner: number
  readonly number: number
  readonly holding: Holding
  readonly at: DateTime.Utc
  readonly isFailed?: boolean
}

/** Jobs in the order in which they ended. Jobs that ended at the same time are ordered by id. */
const endedJobs: ReadonlyArray<Ended> = [
  { owner: 1, number: 12, holding: "Media", at: instant, isFailed: true },
  { owner: 2, number: 11, holding: "Transcript", at: instant },
  { owner: 1, number: 9, holding: "Media", at: days(1) },
  { owner: 1, number: 2, holding: "Transcript", at: days(2) },
  { owner: 1, number: 8, holding: "Transcript", at: days(2) },
  { owner: 1, number: 3, holding: "Nothing", at: days(3) },
  { owner: 1, number: 4, holding: "Nothing", at: days(4) },
  { owner: 1, number: 5, holding: "Transcript", at: days(5) },
  { owner: 1, number: 1, holding: "Media", at: days(6) },
  { owner: 1, number: 6, holding: "Media", at: days(6) },
  { owner: 1, number: 7, holding: "Media", at: days(9) }
]

/** Inserts ended and unfinished jobs. Returns a map of all inserted jobs by number. */
const addJobs = Effect.gen(function* () {
  yield* foundWorkspace(2)
  const jobs = new Map<number, Job>()
  for (const { at, holding, isFailed = false, number, owner } of endedJobs.toReversed()) {
    const job = { ...makeOldJob(number, { at, holding }), workspaceId: workspaceId(owner) }
    if (isFailed) {
      const events = [givenUp({ _tag: "AudioMissing" })]
      jobs.set(number, yield* commitJob(yield* startJob(number), { events }))
    } else jobs.set(number, yield* insertJob(job))
  }
  yield* insertJob(makeUploadJob(20))
  yield* insertJob(makePendingJob(21, { kind: "Deliver", dueAt: instant }))
  return jobs
})

/** Queries for each workspace, remaining content, time and page size. */
const queries = [1, 2, 3].flatMap((owner) =>
  (["Media", "Transcript", "Nothing"] as const).flatMap((holding) =>
    [instant, days(2), days(6), days(100)].flatMap((until) =>
      [1, 2, 100].map((limit) => ({ owner, holding, until, limit }))
    )
  )
)

const matches = (query: Pick<Ended, "holding" | "owner"> & { readonly until: DateTime.Utc }) =>
  endedJobs.filter(
    ({ at, holding, owner }) =>
      owner === query.owner &&
      holding === query.holding &&
      DateTime.isLessThanOrEqualTo(at, query.until)
  )

/** Calls a method for each page of each query. `check` gets the page's expected jobs. */
const eachPage = Effect.fnUntraced(function* <E, R>(
  check: (
    query: EndedQuery,
    page: ReadonlyArray<Ended>,
    last: Option.Option<JobPosition>
  ) => Effect.Effect<void, E, R>
) {
  for (const { owner, ...query } of queries) {
    const all = matches({ owner, ...query })
    let after = Option.none<JobPosition>()
    for (let from = 0; from <= all.length; from += query.limit) {
      const page = all.slice(from, from + query.limit)
      const end = Option.map(Option.fromUndefinedOr(page.at(-1)), ({ at, number }) => ({
        at,
        id: jobId(number)
      }))
      const last = page.length === query.limit ? end : Option.none()
      yield* check({ ...query, workspaceId: workspaceId(owner), after }, page, last)
      after = end
    }
  }
})

/** Counts the jobs, transcripts and media on a page that the rule would remove. */
const countPage = (page: ReadonlyArray<Ended>, cutoffs: Cutoffs): ExpiredCounts => {
  const isOld = (at: DateTime.Utc, cutoff: DateTime.Utc | null) =>
    cutoff !== null && DateTime.isLessThanOrEqualTo(at, cutoff)
  const whole = page.filter(({ at }) => isOld(at, cutoffs.job))
  const others = page.filter((each) => !whole.includes(each))
  const transcripts = others.filter(
    ({ at, holding, isFailed }) =>
      holding !== "Nothing" && isFailed !== true && isOld(at, cutoffs.transcript)
  )
  const media = others.filter(({ at, holding }) => holding === "Media" && isOld(at, cutoffs.media))
  const oldest = page.find((each) => [...whole, ...transcripts, ...media].includes(each))
  return {
    jobs: whole.length,
    transcripts: transcripts.length,
    media: media.length,
    oldest: Option.map(Option.fromUndefinedOr(oldest), ({ at }) => at)
  }
}

const cutoffs: Cutoffs = { media: days(8), transcript: days(6), job: days(3) }

const ended = (query: Partial<EndedQuery> = {}) =>
  RetentionStore.use((store) =>
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
  *"finds ended jobs by the data still kept, in the order in which the jobs ended, page by page"(
    store
  ) {
    const jobs = yield* addJobs
    yield* eachPage((query, page) =>
      store.ended(query).pipe(
        Expect.gives(
          JSON.stringify(query),
          page.map(({ at, number }) => ({
            id: jobId(number),
            at,
            job: Option.fromUndefinedOr(jobs.get(number))
          }))
        )
      )
    )
  },
  *"previews expired jobs, grouped by the data still kept, and changes nothing"(store) {
    yield* addJobs
    const kept = yield* readWholeJob(jobId(1))
    for (const given of [cutoffs, { ...cutoffs, job: null }, { ...cutoffs, media: days(1) }]) {
      yield* eachPage((query, page, last) =>
        store
          .countExpired(query, given)
          .pipe(Expect.gives(JSON.stringify(query), { ...countPage(page, given), last }))
      )
    }
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("nothing is changed", kept))
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
    yield* ended().pipe(Effect.map(ids), Expect.gives("only the transcript is left", [jobId(2)]))
    const failed = yield* commitJob(begun, { events: [givenUp({ _tag: "AudioMissing" })] })
    yield* Expect.holds("the webhook has not been sent", Option.isNone(jobEnd(failed).endedAt))
    yield* ended().pipe(Effect.map(ids), Expect.gives("the retried job has not ended", [jobId(2)]))
  }
})

const removals: Cases<Ports> = workspaceCases(RetentionStore, {
  *"removes only the given jobs and all their rows except their charges"(store) {
    const made = yield* Effect.forEach(upTo(4), (number) => transcribeJob(number, everything))
    const kept = yield* readWholeJob(jobId(4))
    const going = made.slice(0, 3).map(({ id, revision }) => ({ id, revision }))
    const elsewhere = yield* store.remove(workspaceId(2), going)
    yield* Expect.that("another workspace has none of the jobs", elsewhere).is([])
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
        "the job is deleted, or has a later revision",
        Option.getOrNull(Option.map(found, (job) => job.revision))
      ).is(isGone ? null : revision + 1)
      yield* Expect.that("whole", (yield* jobs.history(id)).length).is(isGone ? 0 : 2)
    }
  },
  *"ends the lease on a job when the job is removed"(store) {
    const { id, revision } = yield* insertJob(makeUploadJob(1))
    yield* claimIds(leaseToken(1))
    yield* store.remove(workspaceId(1), [{ id, revision }])
    yield* renewLeases(leaseToken(1), [id]).pipe(Expect.gives("no lease is left", []))
  }
})

export const contract: Contract<Ports> = {
  port: "RetentionStore",
  cases: [...looks, ...removals, ...locks]
}
