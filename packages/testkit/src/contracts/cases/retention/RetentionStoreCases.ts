/** The promises of a `RetentionStore`. */
import type { Cutoffs } from "@verbatim/core/job"
import { type EndedQuery, type Overdue, RetentionStore } from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Option } from "effect"
import { jobId, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, givenUp } from "../../../samples/SampleEvent.ts"
import { makeOldJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { foundWorkspace, instant } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { advance, atOnce, type Case, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { noteOf, type Ports } from "./Retention.ts"
import { looks } from "./RetentionStoreLooks.ts"
import { removals } from "./RetentionStoreRemovals.ts"

const turns: ReadonlyArray<Case<Ports>> = workspaceCases(RetentionStore, {
  *"gives the turn to one of many, until it passes it on or falls silent"(store) {
    const hold = Duration.minutes(10)
    const take = (holder: string) => store.takeTurn({ holder, hold })
    const asked = yield* atOnce(upTo(8), (number) => take(`holder ${number}`))
    yield* Expect.that("one has it", asked.filter(Boolean).length).is(1)
    const holder = `holder ${asked.indexOf(true) + 1}`
    yield* take("another").pipe(Expect.gives("nobody else gets it", false))
    yield* advance(Duration.minutes(6))
    yield* take(holder).pipe(Expect.gives("its holder keeps it", true))
    yield* advance(Duration.minutes(6))
    yield* take("another").pipe(Expect.gives("for as long as it asks", false))
    yield* advance(Duration.minutes(5))
    yield* take("another").pipe(Expect.gives("then it is free", true))
    yield* store.passTurn({ holder, pause: Duration.zero })
    yield* take(holder).pipe(Expect.gives("only its holder can pass it on", false))
    yield* store.passTurn({ holder: "another", pause: Duration.minutes(30) })
    yield* take("another").pipe(Expect.gives("nobody has it in the pause", false))
    yield* advance(Duration.minutes(31))
    yield* take(holder).pipe(Expect.gives("and anybody afterwards", true))
  }
})

const days = (count: number): DateTime.Utc => DateTime.add(instant, { days: count })

const none: Overdue = { jobs: 0, transcripts: 0, media: 0, oldest: Option.none() }

const cutoffs = { media: days(8), transcript: days(6), job: days(3) }

/** Jobs that ended on different days and hold different things; the last one failed at once. */
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
  const failing = yield* commitJob(yield* insertJob(makeUploadJob(12)), {
    events: [attemptStarted()]
  })
  yield* commitJob(failing, { events: [givenUp({ _tag: "AudioMissing" })] })
  return jobs
})

const overdue = (query: Partial<EndedQuery>, given: Partial<Cutoffs> = {}) =>
  Effect.flatMap(RetentionStore, (store) =>
    store.overdue(
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

const previews: ReadonlyArray<Case<Ports>> = workspaceCases(RetentionStore, {
  *"tells what is over, by what jobs hold, and changes nothing"() {
    yield* addJobs
    const last = Option.none()
    // The failed job ended at once, so it goes as a whole.
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
      Expect.gives("nothing of a stranger", { ...none, last })
    )
  },
  *"tells what is over page by page"() {
    yield* addJobs
    const first = yield* overdue({ limit: 2 })
    const second = yield* overdue({ limit: 2, after: first.last })
    const third = yield* overdue({ limit: 2, after: second.last })
    yield* Expect.that("each job once, and where the next page begins", [first, second, third]).is([
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
  },
  *"counts jobs without a noted end, up to a number"(store) {
    const jobs = yield* addJobs
    const count = (countMax: number) => store.unnotedCount(workspaceId(1), countMax)
    yield* count(10).pipe(Expect.gives("all are noted", 0))
    yield* Effect.forEach(jobs.slice(0, 3), (job) =>
      store.note([{ ...noteOf(job), endedAt: Option.none() }])
    )
    yield* count(10).pipe(Expect.gives("three are not", 3))
    yield* count(2).pipe(Expect.gives("it counts no further", 2))
    yield* store.unnotedCount(workspaceId(2), 10).pipe(Expect.gives("of one workspace", 0))
    yield* Expect.that(
      "they are counted by themselves",
      (yield* overdue({ holding: "Nothing", until: days(3) })).jobs
    ).is(0)
  }
})

/** All of them. */
export const contract: Contract<Ports> = {
  port: "RetentionStore",
  cases: [...looks, ...removals, ...turns, ...previews]
}
